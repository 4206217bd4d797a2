import type { INodeProperties } from 'n8n-workflow';

/** An option of every operation that costs; its value is read by cost/creditCap.ts. */
export const maxCredits: INodeProperties = {
	displayName: 'Max Credits (This Run)',
	name: 'maxCredits',
	type: 'number',
	// An expression that gives nothing must not lift the cap.
	typeOptions: { minValue: 1, numberPrecision: 0, isNeeded: true },
	default: 1000,
	description:
		'How many credits this node may cost in one execution: all items, loops, retries and AI agent calls together. Nothing is sent that could cost more. Without this option: no limit.',
};
