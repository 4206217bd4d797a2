import fc from 'fast-check';

import { leftOpen, SessionLedger } from '../../nodes/service/sessions/sessionLedger.ts';
import type { OpenSession } from '../../nodes/service/sessions/sessionList.ts';
import { findStrays, idleSince } from '../../nodes/service/sessions/straySessions.ts';

const OPENED_MS = 1_000_000;
const session = (id: string, more: Partial<OpenSession> = {}): OpenSession => ({
	id,
	openedMs: OPENED_MS,
	usedMs: undefined,
	...more,
});
const sought = {
	notBeforeMs: OPENED_MS - 1000,
	notAfterMs: OPENED_MS + 1000,
	most: 1,
	isUnused: true,
};
const nobody = { isKnown: () => false, underWayMs: [] };

describe('which of the open sessions is the one that was opened without an answer', () => {
	it('is the only one of that time that nobody has used', () => {
		const listed = [session('a'), session('used', { usedMs: OPENED_MS + 900 })];
		expect(findStrays(listed, sought, nobody)).toEqual({ kind: 'found', ids: ['a'] });
	});

	it('is none that was opened before or after, nor one that is somebody’s', () => {
		const listed = [
			session('before', { openedMs: OPENED_MS - 1001 }),
			session('after', { openedMs: OPENED_MS + 1001 }),
			session('known'),
		];
		const isKnown = (id: string) => id === 'known';
		expect(findStrays(listed, sought, { ...nobody, isKnown })).toEqual({ kind: 'none' });
	});

	it('is not known when there are more than there can be', () => {
		const listed = [session('a'), session('b')];
		expect(findStrays(listed, sought, nobody)).toEqual({ kind: 'several', ids: ['a', 'b'] });
		expect(findStrays(listed, { ...sought, most: 2 }, nobody)).toEqual({
			kind: 'found',
			ids: ['a', 'b'],
		});
	});

	it('is one that was opened at the first or the last moment that it can have been', () => {
		for (const openedMs of [sought.notBeforeMs, sought.notAfterMs]) {
			expect(findStrays([session('a', { openedMs })], sought, nobody).kind).toBe('found');
		}
	});

	it('is in doubt when one of several may be that of an opening which is on its way', () => {
		const listed = [session('a', { openedMs: OPENED_MS - 500 }), session('b')];
		const owned = { ...nobody, underWayMs: [OPENED_MS] };
		expect(findStrays(listed, { ...sought, most: 2 }, owned).kind).toBe('doubt');
	});

	it('is in doubt while another opening is on its way that was sent before it was opened', () => {
		const owned = (sentMs: number) => ({ ...nobody, underWayMs: [sentMs] });
		expect(findStrays([session('a')], sought, owned(OPENED_MS)).kind).toBe('doubt');
		expect(findStrays([session('a')], sought, owned(OPENED_MS - 1)).kind).toBe('doubt');
		expect(findStrays([session('a')], sought, owned(OPENED_MS + 1)).kind).toBe('found');
	});

	it('may be one that does not tell when it was opened', () => {
		expect(findStrays([session('a', { openedMs: undefined })], sought, nobody).kind).toBe('found');
	});

	it('never closes a session that is known, of another time, or more than there can be', () => {
		const any = fc.record({
			id: fc.stringMatching(/^[a-z]{1,3}$/),
			openedMs: fc.option(fc.integer({ min: 0, max: 100 }), { nil: undefined }),
			usedMs: fc.option(fc.integer({ min: 0, max: 100 }), { nil: undefined }),
		});
		fc.assert(
			fc.property(
				fc.uniqueArray(any, { selector: ({ id }) => id }),
				fc.array(fc.stringMatching(/^[a-z]{1,3}$/)),
				fc.record({
					notBeforeMs: fc.integer({ min: 0, max: 100 }),
					notAfterMs: fc.integer({ min: 0, max: 100 }),
					most: fc.integer({ min: 1, max: 4 }),
					isUnused: fc.boolean(),
				}),
				fc.array(fc.integer({ min: 0, max: 100 })),
				(listed, known, asked, underWayMs) => {
					const isKnown = (id: string) => known.includes(id);
					const finding = findStrays(listed, asked, { isKnown, underWayMs });
					if (finding.kind !== 'found') return;
					expect(finding.ids.length).toBeLessThanOrEqual(asked.most);
					for (const id of finding.ids) {
						const one = listed.find((each) => each.id === id);
						expect(isKnown(id)).toBe(false);
						if (asked.isUnused) expect(one?.usedMs).toBeUndefined();
						if (one?.openedMs === undefined) continue;
						expect(one.openedMs).toBeGreaterThanOrEqual(asked.notBeforeMs);
						expect(one.openedMs).toBeLessThanOrEqual(asked.notAfterMs);
					}
				},
			),
		);
	});
});

it('a session that was used between two looks, or is new, is not idle', () => {
	const before = [session('idle', { usedMs: 5 }), session('used', { usedMs: 5 })];
	const after = [
		session('idle', { usedMs: 5 }),
		session('used', { usedMs: 6 }),
		session('new', { usedMs: undefined }),
	];
	expect(idleSince(before, after).map(({ id }) => id)).toEqual(['idle']);
});

describe('what an earlier try has left open', () => {
	const ledger = () => {
		const book = {};
		const made = new SessionLedger(book);
		made.remember('closed', { runIndex: 0, sentAt: 1, id: 'a' });
		made.forget('closed');
		made.remember('left', { runIndex: 0, sentAt: 2, id: 'b' });
		made.remember('unclear', { runIndex: 1, sentAt: 3 });
		made.remember('putOutBefore', { runIndex: 0, sentAt: 4, id: 'c', isPutOut: true });
		made.remember('putOutNow', { runIndex: 1, sentAt: 5, id: 'd', isPutOut: true });
		return { book, made };
	};

	it('is all that is not closed, but not what an earlier round put out, nor what is in work', () => {
		const { made } = ledger();
		const keys = leftOpen(made.all, 1, (key) => key === 'left').map(({ key }) => key);
		expect(keys).toEqual(['unclear', 'putOutNow']);
	});

	it('is read from what n8n has stored, whatever else stands there', () => {
		const { book, made } = ledger();
		const stored = JSON.parse(
			JSON.stringify({ ...book, odd: 5, worse: { id: '../x' }, __proto__: null }),
		) as Record<string, unknown>;
		expect(new SessionLedger(stored).all).toEqual(made.all);
	});

	it('has what was remembered of each, with its ID where one is known', () => {
		expect(ledger().made.all).toEqual([
			{ key: 'left', entry: { runIndex: 0, sentAt: 2, id: 'b' } },
			{ key: 'unclear', entry: { runIndex: 1, sentAt: 3 } },
			{ key: 'putOutBefore', entry: { runIndex: 0, sentAt: 4, id: 'c', isPutOut: true } },
			{ key: 'putOutNow', entry: { runIndex: 1, sentAt: 5, id: 'd', isPutOut: true } },
		]);
	});

	it('has no entry where there is none, and none with parts that cannot be used', () => {
		const book = {
			none: null,
			list: [],
			text: 'x',
			undated: { runIndex: 1, id: 'a' },
			odd: { sentAt: 1, runIndex: '1', id: '../x', isPutOut: 'yes' },
		};
		const made = new SessionLedger(book);
		expect(made.all).toEqual([{ key: 'odd', entry: { sentAt: 1, runIndex: 0 } }]);
		expect(made.find('odd')).not.toHaveProperty('id');
		expect(made.find('odd')).not.toHaveProperty('isPutOut');
		for (const key of ['missing', 'toString', '__proto__']) {
			expect(made.find(key)).toBeUndefined();
		}
	});

	it('is not what an earlier round put out, but what this one did', () => {
		const entry = { runIndex: 2, sentAt: 1, id: 'a' };
		const all = [
			{ key: 'left', entry },
			{ key: 'put', entry: { ...entry, isPutOut: true } },
		];
		const keys = (runIndex: number) => leftOpen(all, runIndex, () => false).map(({ key }) => key);
		expect(keys(2)).toEqual(['left', 'put']);
		expect(keys(3)).toEqual(['left']);
	});
});
