import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { isJsonObject } from '../../../service/http/answer';
import type { JsonObject } from '../../../service/http/transport';
import type { CallAnswer, ItemDraft } from '../../operation/operation';
import { withIsoDates } from '../../operation/recordFields';

/** What a balance and its history are counted in. */
type Unit = 'credits' | 'tokens';

const capital = (unit: Unit) => (unit === 'credits' ? 'Credits' : 'Tokens');

/** A balance as one item. Older servers write the names with underscores (recording team-02). */
export function balanceItems(unit: Unit): (answer: CallAnswer) => ItemDraft[] | undefined {
	return ({ body }) => {
		const { data } = body;
		if (!isJsonObject(data)) return undefined;
		const json: JsonObject = {
			[`remaining${capital(unit)}`]:
				data[`remaining${capital(unit)}`] ?? data[`remaining_${unit}`] ?? null,
			[`plan${capital(unit)}`]: data[`plan${capital(unit)}`] ?? data[`plan_${unit}`] ?? null,
			billingPeriodStart: data.billingPeriodStart ?? data.billing_period_start ?? null,
			billingPeriodEnd: data.billingPeriodEnd ?? data.billing_period_end ?? null,
		};
		return [{ json: withIsoDates(json) as IDataObject }];
	};
}

/** The periods of a history, one item each. The total has two names (docs/service-notes.md#where-servers-differ). */
export function historyItems(unit: Unit): (answer: CallAnswer) => ItemDraft[] | undefined {
	return ({ body }) => {
		if (!Array.isArray(body.periods)) return undefined;
		return body.periods.filter(isJsonObject).map((period) => {
			const { [`total${capital(unit)}`]: total, ...rest } = period;
			const used = rest[`${unit}Used`] ?? total ?? null;
			return { json: withIsoDates({ ...rest, [`${unit}Used`]: used }) as IDataObject };
		});
	};
}

export const byApiKey: INodeProperties = {
	displayName: 'Split by API Key',
	name: 'byApiKey',
	type: 'boolean',
	default: false,
	description: 'Whether to return an item for each API key of each period',
	routing: { send: { type: 'query', property: 'byApiKey' } },
};
