import type { INodeProperties } from 'n8n-workflow';
import { numberField } from '../../fields/field';
import { ServiceFailure, refusedInput } from '../../service/http/failure';
import type { JsonObject } from '../../service/http/transport';
import type { PollEvent } from './pollEvent';

const thresholdField: INodeProperties = numberField(
	'threshold',
	'Credits',
	1000,
	'Start when fewer credits than this are left',
	{ min: 1, send: false },
);

export const creditsBelow: PollEvent = {
	value: 'creditsBelow',
	name: 'Credits Below',
	description: 'Your account has fewer credits left than a number',
	notice: 'Free. Starts each time that credits fall below this number.',
	fields: [thresholdField],
	isOfAccount: () => true,
	// Another number is compared with what was told for the one before.
	watched: () => ({}),
	isMark: ({ told }) => told === undefined || typeof told === 'number',
	async poll({ items, client }, values, mark) {
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
				mayHaveExecuted: true,
				message: `${client.baseUrl} does not say how many credits are left: a server of your own has none.`,
			});
		}
		// The first poll starts nothing, so a balance that is below already is left to the next one.
		if (mark === undefined) return { news: [], mark: {}, sample: balance };
		const isBelow = left < threshold;
		const isTold = wasTold(mark, threshold);
		return {
			news: isBelow && !isTold ? [balance] : [],
			mark: isBelow ? { told: isTold ? (mark.told ?? left) : left } : {},
			sample: balance,
		};
	},
};

/** Whether a balance below the threshold has been told since there were more credits. `told` is that balance. */
function wasTold({ told }: JsonObject, threshold: number): boolean {
	return typeof told === 'number' && told < threshold;
}

/** Throws a ServiceFailure of kind badInput: what is no number would never be reached. */
function readThreshold(given: unknown): number {
	const number = typeof given === 'string' && given.trim() !== '' ? Number(given) : given;
	if (typeof number === 'number' && number >= 1) return number;
	throw refusedInput('"Credits" must be a number of 1 or more.');
}
