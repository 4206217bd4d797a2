import type { INodeExecutionData } from 'n8n-workflow';

import type { JsonObject } from '../../service/http/transport';
import { compareAddresses, MOST_KNOWN } from '../marks/knownAddresses';
import type { Look } from './pollEvent';

/** What is new among items that each have an address, by `addressOf`. */
export function newAddresses(
	items: INodeExecutionData[],
	addressOf: (item: INodeExecutionData) => unknown,
	mark: JsonObject | undefined,
): Look {
	// More than are remembered would be new again at each look.
	const named = items.filter((item) => typeof addressOf(item) === 'string').slice(0, MOST_KNOWN);
	const earlier = Array.isArray(mark?.known) ? mark.known.map(String) : [];
	const { fresh, known } = compareAddresses(
		earlier,
		named.map((item) => String(addressOf(item))),
	);
	return {
		news: fresh.flatMap((position) => named[position] ?? []),
		// With nothing in the list at first, everything would be new the next time.
		mark: known.length > 0 ? { known } : undefined,
		sample: named[0],
	};
}
