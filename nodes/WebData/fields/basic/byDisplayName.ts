import type { INodeProperties } from 'n8n-workflow';

/**
 * Sorts options as the panel shows them. By letters' codes: the first localeCompare of a process loads
 * the collation of a language, which takes longer than all of the node's own code.
 */
export function byDisplayName(left: INodeProperties, right: INodeProperties): number {
	const [one, other] = [left.displayName.toLowerCase(), right.displayName.toLowerCase()];
	if (one === other) return 0;
	return one < other ? -1 : 1;
}
