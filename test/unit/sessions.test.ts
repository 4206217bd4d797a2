import { leftOpen, SessionLedger } from '../../nodes/service/sessions/sessionLedger.ts';

describe('what an earlier try has left open', () => {
	const ledger = () => {
		const book = {};
		const made = new SessionLedger(book);
		made.remember('closed', { runIndex: 0, sentAt: 1, id: 'a' });
		made.forget('closed');
		made.remember('left', { runIndex: 0, sentAt: 2, id: 'b' });
		made.remember('unclear', { runIndex: 1, sentAt: 3, lostAt: 9 });
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
			{ key: 'unclear', entry: { runIndex: 1, sentAt: 3, lostAt: 9 } },
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
			odd: { sentAt: 1, runIndex: '1', id: '../x', lostAt: '9', isPutOut: 'yes' },
		};
		const made = new SessionLedger(book);
		expect(made.all).toEqual([{ key: 'odd', entry: { sentAt: 1, runIndex: 0 } }]);
		expect(made.find('odd')).not.toHaveProperty('id');
		expect(made.find('odd')).not.toHaveProperty('isPutOut');
		expect(made.find('odd')).not.toHaveProperty('lostAt');
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
