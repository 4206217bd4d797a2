import { Readable } from 'node:stream';

import { readBytes } from '../../nodes/service/http/answerBody';
import { failureOf } from './caught.ts';

/** A body that is given piece by piece, and knows when it is closed. */
function bodyOf(pieces: AsyncIterable<Uint8Array>) {
	const body = Readable.from(pieces);
	const destroy = jest.spyOn(body, 'destroy');
	// A stream that is read to its end closes itself, without a reason.
	const closed = () => destroy.mock.calls.filter(([reason]) => reason).length;
	return { response: { statusCode: 200, headers: {}, body }, closed };
}

async function* pieces(...texts: string[]): AsyncGenerator<Uint8Array> {
	for (const text of texts) yield await Promise.resolve(Buffer.from(text));
}

let clock: AbortController;
let timeout: jest.SpyInstance<AbortSignal, [ms: number]>;

beforeEach(() => {
	clock = new AbortController();
	timeout = jest.spyOn(AbortSignal, 'timeout').mockReturnValue(clock.signal);
});
afterEach(() => timeout.mockRestore());

it('is read to its end, and not closed when its time is over afterwards', async () => {
	const { response, closed } = bodyOf(pieces('ab', 'c'));
	expect((await readBytes(response, 'https://a.example', 1234.5)).toString()).toBe('abc');
	expect(timeout).toHaveBeenCalledWith(1235);
	clock.abort();
	expect(closed()).toBe(0);
});

it('is closed when it is larger than may be read', async () => {
	const { response, closed } = bodyOf(
		(async function* () {
			for (let count = 0; count < 5; count++) {
				yield await Promise.resolve(new Uint8Array(16 * 1024 * 1024));
			}
		})(),
	);
	const failure = await failureOf(() => readBytes(response, 'https://a.example', 1000));
	expect(failure).toMatchObject({ kind: 'tooLarge', mayHaveExecuted: true });
	expect(closed()).toBe(1);
});
