import type { Resource } from '../../operation/operation';
import { map as mapSite } from './map';

export const map: Resource = {
	value: 'map',
	name: 'Map',
	description: 'All URLs of a site, fast and for one credit',
	operations: [mapSite],
};
