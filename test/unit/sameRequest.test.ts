import fc from 'fast-check';

import { canonicalBody, isServiceDefault, wantsFresh } from '../../nodes/service/jobs/sameRequest';
import { resources } from '../../nodes/WebData/resources/index.ts';
import { contractOperations, leavesOfOperation } from './contractLeaves.ts';

const same = (left: object, right: object) =>
	JSON.stringify(canonicalBody({ ...left })) === JSON.stringify(canonicalBody({ ...right }));

it.each([
	['https://a.example', 'https://a.example/'],
	['https://a.example/docs', 'https://a.example/docs/'],
	['https://a.example/docs?x=1', 'https://a.example/docs/?x=1'],
	['https://A.Example:443/docs#', 'https://a.example/docs'],
	['http://a.example:80/', 'HTTP://a.example'],
])('takes %s and %s for one address', (left, right) => {
	expect(same({ url: left }, { url: right })).toBe(true);
	expect(same({ urls: [left, 'x'] }, { urls: [right, 'x'] })).toBe(true);
});

it.each([
	['https://a.example/docs', 'https://a.example/Docs'],
	['https://a.example/docs', 'http://a.example/docs'],
	['https://a.example/docs', 'https://a.example:8443/docs'],
	['https://a.example/docs', 'https://a.example/docs#/one'],
	['https://a.example/docs?a=1', 'https://a.example/docs?a=2'],
	['https://user@a.example/', 'https://a.example/'],
	['what is https://a.example', 'what is https://a.example/'],
])('takes %s and %s for two', (left, right) => {
	expect(same({ url: left }, { url: right })).toBe(false);
	expect(same({ urls: [left] }, { urls: [right] })).toBe(false);
});

it('takes what the service does by default for nothing, at the top and in the scrape options', () => {
	expect(same({ url: 'x', onlyMainContent: true }, { url: 'x' })).toBe(true);
	expect(same({ url: 'x', scrapeOptions: { proxy: 'auto' } }, { url: 'x' })).toBe(true);
	expect(same({ url: 'x', onlyMainContent: false }, { url: 'x' })).toBe(false);
	expect(same({ url: 'x', maxAge: 0 }, { url: 'x' })).toBe(false);
	expect(same({ url: 'x', scrapeOptions: { formats: [] } }, { url: 'x' })).toBe(false);
});

it('leaves no two different bodies the same that have nothing of this, and changes none of them', () => {
	const plain = fc.dictionary(fc.stringMatching(/^[A-Z]{1,6}$/), fc.jsonValue());
	fc.assert(
		fc.property(plain, (body) => {
			const before = JSON.stringify(body);
			expect(JSON.stringify(canonicalBody(body as Record<string, unknown>))).toBe(before);
			expect(JSON.stringify(body)).toBe(before);
		}),
	);
});

it('never fails on what an address may be, and is the same when it is made twice', () => {
	const address = fc.oneof(
		fc.webUrl({ withFragments: true, withQueryParameters: true }),
		fc.jsonValue(),
	);
	fc.assert(
		fc.property(address, (url) => {
			const once = canonicalBody({ url });
			expect(canonicalBody(once)).toEqual(once);
		}),
	);
});

it.each([
	[{ maxAge: 0 }, true],
	[{ scrapeOptions: { maxAge: 0 } }, true],
	[{ maxAge: 1 }, false],
	[{ maxAge: '0' }, false],
	[{ scrapeOptions: 'x' }, false],
	[{}, false],
])('knows who wants a fresh page: %j', (body, isFresh) => {
	expect(wantsFresh(body)).toBe(isFresh);
});

it('knows no default that the contract has otherwise, in any request that the ledger knows', () => {
	const paths = resources
		.flatMap(({ operations }) => operations)
		.filter((one) => one.kind === 'startJob' || (one.kind === 'call' && one.recall))
		.map(({ request: { method, path } }) => `${method} ${path}`);
	const leaves = contractOperations
		.filter(({ method, path }) => paths.includes(`${method} ${path}`))
		.flatMap(leavesOfOperation)
		.flatMap((leaf) => {
			const [, name] = /^body (?:scrapeOptions\.)?(\w+)$/.exec(leaf.place) ?? [];
			return name === undefined ? [] : [{ name, leaf }];
		});
	const named = new Map<string, boolean[]>();
	for (const { name, leaf } of leaves) {
		if (leaf.default === undefined) continue;
		named.set(name, [...(named.get(name) ?? []), isServiceDefault(name, leaf.default)]);
	}
	const mixed = [...named].filter(([, known]) => known.includes(true) && known.includes(false));
	expect(mixed).toEqual([]);
	expect([...named].filter(([, known]) => known.includes(true)).length).toBeGreaterThan(25);
});
