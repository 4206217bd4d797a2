import type { INodeProperties } from 'n8n-workflow';

import { ServiceFailure } from '../../service/http/failure';
import type { PollEvent } from './pollEvent';

const threshold: INodeProperties = {
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
	fields: [threshold],
	async look({ items, client }, values, mark) {
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
		const isBelow = left < Number(values.threshold);
		return {
			news: isBelow && mark?.isBelow === false ? [balance] : [],
			mark: { isBelow },
			sample: balance,
		};
	},
};
