import fc from 'fast-check';
import type { IExecuteFunctions } from 'n8n-workflow';

import { Ledger } from '../../nodes/run/ledger/ledger';
import type { AskedAt } from '../../nodes/run/ledger/ledger';

const ITEMS = 3;

/** A try of the node: a new execution, or the same one again, after the user has edited something or not. */
const aTry = fc.record({
	isRetry: fc.boolean(),
	edits: fc.nat(2),
	isTool: fc.boolean(),
	ends: fc.array(fc.constantFrom('started', 'refused', 'lost', 'killed'), {
		minLength: ITEMS,
		maxLength: ITEMS,
	}),
	afterwards: fc.array(fc.constantFrom('runs', 'failed', 'gone'), {
		minLength: ITEMS,
		maxLength: ITEMS,
	}),
	isHandedOver: fc.boolean(),
});

interface FakeRun {
	context: object;
	execution: string;
	edits: number;
	isTool: boolean;
}

/** What the ledger asks of n8n. */
function ledgerOf({ context, execution, edits, isTool }: FakeRun): Ledger {
	const input = Array.from({ length: ITEMS }, (_none, item) => ({ json: { item } }));
	const ctx = {
		getContext: () => context,
		getExecutionId: () => execution,
		getWorkflowDataProxy: () => ({ $runIndex: 0 }),
		getNode: () => ({ type: isTool ? 'webDataTool' : 'webData', parameters: { edits } }),
		getInputData: () => input,
		getMode: () => 'retry',
	};
	return new Ledger(
		ctx as unknown as IExecuteFunctions,
		{ baseUrl: 'https://a.example', account: 'k' },
		'crawl',
		'Crawl · Get',
	);
}

function asked(item: number, edits: number): AskedAt {
	const body = { url: `https://a.example/${item}`, limit: edits };
	return { item, start: { method: 'POST', path: '/v2/crawl', bucket: 'crawl', body } };
}

/** Nothing that another key has left is found, and no execution is stopped. */
const borders = {
	lookUp: async () => await Promise.resolve(undefined),
	orStopped: async () => await Promise.resolve(),
};

it('has each job in one entry, and loses none before its result or its name was put out', async () => {
	await fc.assert(
		fc.asyncProperty(fc.array(aTry, { maxLength: 8 }), async (tries) => {
			const context = {};
			const isTool = tries[0]?.isTool === true;
			let execution = 0;
			let started = 0;
			/** Jobs that the user has not heard of yet. */
			const owed = new Set<string>();
			for (const { isRetry, edits, ends, afterwards, isHandedOver } of tries) {
				if (isRetry) execution += 1;
				const ledger = ledgerOf({ context, execution: String(execution), edits, isTool });
				const all = ends.map((_end, item) => asked(item, edits));
				const keys = await ledger.inTurn(async () => {
					const taken = await ledger.take(all, borders);
					return taken.map(({ key, entry }, item) => {
						const one = asked(item, edits);
						const end = ends[item];
						if (entry?.id === undefined) {
							ledger.note(one, 'sent');
							if (end === 'started') {
								const id = `job-${started++}`;
								owed.add(id);
								ledger.note(one, 'running', { id });
							}
							if (end === 'refused') ledger.change(key, { kind: 'forgotten' });
							if (end === 'lost') ledger.note(one, 'unconfirmed', { lostAt: 1 });
						}
						const after = afterwards[item];
						if (after === 'failed' || after === 'gone') ledger.change(key, { kind: 'superseded', state: after });
						return key;
					});
				});
				const ids = ledger.idsOf('execution');
				expect(new Set(ids).size).toBe(ids.length);
				expect(ids).toEqual(expect.arrayContaining([...owed]));
				if (!isHandedOver) continue;
				ledger.complete(keys, keys);
				// An agent may ask for it again.
				if (!isTool) owed.clear();
			}
		}),
	);
});

it('takes nothing outside a turn, which another call of an agent would not wait for', async () => {
	const ledger = ledgerOf({ context: {}, execution: '1', edits: 0, isTool: true });
	await expect(ledger.take([asked(0, 0)], borders)).rejects.toThrow('Nothing is taken outside a turn.');
});
