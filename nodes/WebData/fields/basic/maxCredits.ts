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
		'Sends nothing when all items together may cost more credits than this. It counts the worst case: every page, with all that is asked for. Default: no limit.',
};
