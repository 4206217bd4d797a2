import type { INodeProperties } from 'n8n-workflow';
import { panelProperties } from './panel/panelProperties';
import { DEFAULT_RESOURCE, resources } from './resources';

/**
 * The panel's properties. The build puts a reader of its result, as JSON, in place of this file
 * (gulpfile.js): n8n makes every node at each of its starts, and reading takes a tenth of the time.
 */
export function readProperties(): INodeProperties[] {
	return panelProperties(resources, DEFAULT_RESOURCE);
}
