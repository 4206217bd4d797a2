import type { INodeProperties } from 'n8n-workflow';

import { ServiceFailure, refusedInput } from '../../service/http/failure';
import type { PollEvent } from './pollEvent';

const thresholdField: INodeProperties = {
	displayName: 'Credits',
	name: 'threshold',
	type: 'number',
	typeOptions: { minValue: 1, numberPrecision: 0 },
	default: 1000,
	description: 'How many credits must be left so that nothing happens',
};

export const creditsBelow: PollEvent = {
	value: 'creditsBelow',
	name: 'Credits Below',
	description: 'Your account has fewer credits left than a number',
	notice: 'A poll costs nothing. Starts the workflow once, and again after there were more.',
	fields: [thresholdField],
	async look({ items, client }, values, mark) {
		const threshold = readThreshold(values.threshold);
		const [balance] = await items({
			resource: 'account',
			operation: 'getCreditUsage',
			parameters: {},
		});
		const left = balance?.json.remainingCredits;
		if (!balance || typeof left !== 'number') {
			throw new ServiceFailure({
				kind: 'notJson',
				reached: 'maybe',
				message: `${client.baseUrl} does not say how many credits are left: a server of your own has none.`,
			});
		}
		const isBelow = left < threshold;
		return {
			news: isBelow && mark?.isBelow === false ? [balance] : [],
			mark: { isBelow },
			sample: balance,
		};
	},
};

/** Throws a ServiceFailure of kind badInput: what is no number would never be reached. */
function readThreshold(given: unknown): number {
	const number = typeof given === 'string' && given.trim() !== '' ? Number(given) : given;
	if (typeof number === 'number' && number >= 1) return number;
	throw refusedInput('"Credits" must be a number of 1 or more.');
}
