import { nodeLife } from './weeks/nodeLife.ts';
import { measureLife } from './weeks/measureLife.ts';

export const measure = measureLife({ name: 'node', unit: 'executions', begin: nodeLife });
