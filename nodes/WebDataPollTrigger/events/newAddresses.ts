import type { INodeExecutionData } from 'n8n-workflow';

import type { JsonObject } from '../../service/http/transport';
import { addressKey } from '../../text/addressKey';
import { compareHashes } from '../marks/knownHashes';
import { packHashes, shortHash, shortHashes, unpackHashes } from '../marks/shortHashes';
import type { Look, Reader } from './pollEvent';

/** What is new among items that each have an address, by `addressOf`. */
export async function newAddresses(
	items: INodeExecutionData[],
	addressOf: (item: INodeExecutionData) => unknown,
	mark: JsonObject | undefined,
	{ pause }: Pick<Reader, 'pause'>,
): Promise<Look> {
	const named = items.flatMap((item) => {
		const address = addressOf(item);
		return typeof address === 'string' ? [{ item, address }] : [];
	});
	const earlier = unpackHashes(mark?.known);
	const hashes = await shortHashes(
		named.map(({ address }) => addressKey(address)),
		pause,
	);
	const { fresh, known } = compareHashes(earlier, hashes);
	const before = new Set(earlier);
	const news = fresh
		.flatMap((position) => named[position] ?? [])
		// Older versions have stored addresses as they were written.
		.filter(({ address }) => !before.has(shortHash(address)));
	return {
		news: news.map(({ item }) => item),
		mark: { known: packHashes(known) },
		sample: named[0]?.item,
	};
}
