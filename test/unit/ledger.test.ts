import fc from 'fast-check';

import { fingerprint, Ledger, slotOf } from '../../nodes/service/jobs/ledger';
import type { FingerprintParts, LedgerEntry, LedgerStore } from '../../nodes/service/jobs/ledger';

const body = fc.dictionary(fc.string(), fc.jsonValue());
const parts: fc.Arbitrary<FingerprintParts> = fc.record({
	origin: fc.webUrl(),
	kind: fc.string(),
	body,
});

/** The same JSON with all keys in another order. */
function turned(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(turned);
	if (typeof value !== 'object' || value === null) return value;
	return Object.fromEntries(
		Object.entries(value)
			.reverse()
			.map(([key, inner]) => [key, turned(inner)]),
	);
}

const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

it('does not depend on the order of keys', () => {
	fc.assert(
		fc.property(parts, (some) => {
			expect(fingerprint({ ...some, body: turned(some.body) })).toBe(fingerprint(some));
		}),
	);
});

it('is the same after the body was stored as JSON', () => {
	fc.assert(
		fc.property(parts, (some) => {
			expect(fingerprint({ ...some, body: asJson(some.body) })).toBe(fingerprint(some));
		}),
	);
	const base = { origin: 'o', kind: 'k' };
	expect(fingerprint({ ...base, body: { a: 1, b: undefined } })).toBe(
		fingerprint({ ...base, body: { a: 1 } }),
	);
});

it('changes with every part', () => {
	fc.assert(
		fc.property(parts, parts, (left, right) => {
			const isSame = JSON.stringify(turned(turned(left))) === JSON.stringify(turned(turned(right)));
			fc.pre(!isSame);
			for (const name of Object.keys(left) as Array<keyof FingerprintParts>) {
				const changed = { ...left, [name]: right[name] };
				const isChanged =
					JSON.stringify(sorted(left[name])) !== JSON.stringify(sorted(right[name]));
				expect(fingerprint(changed) !== fingerprint(left)).toBe(isChanged);
			}
		}),
	);
});

function sorted(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(sorted);
	if (typeof value !== 'object' || value === null) return value;
	const entries = Object.entries(value).map(([key, inner]) => [key, sorted(inner)] as const);
	return entries.sort(([left], [right]) => (left < right ? -1 : 1));
}

it('stays as it is, so that a retry after an update of the node finds its jobs', () => {
	const request = { query: 'q', maxUrls: 5, Z: [{ b: 1, a: null }], é: true };
	const name = fingerprint({
		origin: 'https://service.example',
		kind: 'deepResearch',
		body: request,
	});
	expect(name).toBe('59b11e391d194d8817162ed20828948a');
	expect(slotOf('deepResearch', 1, 3)).toBe('deepResearch:1:3');
});

it('tells values apart that look alike', () => {
	const bodies = [
		{ a: 1 },
		{ a: '1' },
		{ a: [1] },
		{ a: null },
		{ a: {} },
		{ a: [] },
		{},
		{ A: 1 },
	];
	const names = bodies.map((one) => fingerprint({ origin: 'o', kind: 'k', body: one }));
	expect(new Set(names).size).toBe(bodies.length);
	expect(slotOf('k', 1, 11)).not.toBe(slotOf('k', 11, 1));
});

const id = fc.stringMatching(/^[A-Za-z0-9_-]{1,40}$/);
const entry: fc.Arbitrary<LedgerEntry> = fc.record(
	{
		kind: fc.string(),
		item: fc.nat(),
		runIndex: fc.nat(),
		execution: fc.string(),
		asked: fc.string(),
		id,
		startedAt: fc.nat(),
		shared: fc.array(fc.record({ item: fc.nat(), entry: fc.string() }), { minLength: 1 }),
		started: fc.constant({ id: 'x', url: 'https://example.com' }),
		collectWith: fc.string({ minLength: 1 }),
		ended: fc.constantFrom('failed' as const, 'gone' as const),
	},
	{ requiredKeys: ['kind', 'item', 'runIndex', 'execution', 'asked', 'startedAt'] },
);

it('finds what it remembered, also when the book was stored as JSON, until it forgets', () => {
	fc.assert(
		fc.property(fc.dictionary(fc.stringMatching(/^[a-z]+:\d+:\d+$/), entry), (entries) => {
			const book: LedgerStore = {};
			for (const [key, value] of Object.entries(entries)) new Ledger(book).remember(key, value);
			const later = new Ledger(asJson(book) as LedgerStore);
			expect(later.all.map(({ key }) => key)).toEqual(Object.keys(entries));
			for (const [key, value] of Object.entries(entries)) {
				expect(later.find(key)).toEqual(value);
				later.forget(key);
				expect(later.find(key)).toBeUndefined();
			}
		}),
	);
});

it('takes garbage for nothing', () => {
	fc.assert(
		fc.property(fc.string(), fc.jsonValue(), (key, value) => {
			const found = new Ledger({ [key]: value }).find(key);
			expect(found === undefined || typeof found.kind === 'string').toBe(true);
		}),
	);
	const nameless = { kind: 5, item: 0 };
	const ledger = new Ledger({ text: 'x', list: [], half: { kind: 'k' }, none: null, nameless });
	expect(ledger.all).toEqual([]);
	const odd = new Ledger({ odd: { kind: 'k', item: 0, id: '../x', ended: 'soon' } }).find('odd');
	expect(odd).not.toHaveProperty('id');
	expect(odd).not.toHaveProperty('ended');
	for (const key of [
		'text',
		'list',
		'half',
		'none',
		'nameless',
		'missing',
		'toString',
		'__proto__',
	]) {
		expect(ledger.find(key)).toBeUndefined();
	}
});

it('never hands out a stored id that could change a path', () => {
	const stored = { kind: 'k', item: 0, startedAt: 1, id: '../../v2/team' };
	expect(new Ledger({ key: stored }).find('key')?.id).toBeUndefined();
});

it('takes a job whose start is not dated for one from long ago', () => {
	expect(new Ledger({ key: { kind: 'k', item: 0 } }).find('key')?.startedAt).toBe(0);
});

it.each([
	['no list'],
	[[]],
	[[{ item: '0', entry: 'x' }]],
	[[{ item: 0 }]],
	[[null]],
	[[{ item: 0, entry: 'x' }, {}]],
])('takes items that share a job for one when they are not readable: %j', (shared) => {
	const found = new Ledger({ key: { kind: 'k', item: 0, shared } }).find('key');
	expect(found).toMatchObject({ kind: 'k', item: 0, runIndex: 0, execution: '', asked: '' });
	expect(found?.shared).toBeUndefined();
});
