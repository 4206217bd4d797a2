import type { Resource } from '../../operation/operation';
import { map as mapSite } from './map';

export const map: Resource = {
	value: 'map',
	name: 'Map',
	description: 'List the URLs of a site, fast and without reading its pages',
	operations: [mapSite],
};
