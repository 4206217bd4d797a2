import type { IExecuteFunctions } from 'n8n-workflow';
import { CreditAccount } from '../../nodes/run/ledger/creditAccount';

/** Two calls of an agent's tool, which share the node's context, under a cap of 10 credits. */
function twoCalls() {
	const context = {};
	const ctx = { getContext: () => context } as unknown as IExecuteFunctions;
	const worstCase = (sent: Record<string, unknown>) => ({
		credits: Number(sent.credits),
		likely: 0,
		parts: [],
		lower: [],
		notCounted: [],
	});
	const account = () => new CreditAccount(ctx, worstCase);
	const charge = (credits: number) => ({ by: {}, item: 0, items: 1, sent: { credits }, maxCredits: 10 });
	const [one, other] = [account(), account()];
	other.admit([], [10]);
	return { one, other, charge };
}

it('keeps room for what was refused and may be sent again', () => {
	const { one, other, charge } = twoCalls();
	const waiting = charge(6);
	one.admit([waiting], [10]);
	one.send(waiting);
	one.refund(waiting.by);
	expect(other.refusal(charge(5))).toMatch(/allows 10/);
	expect(other.remaining).toBe(4);
	one.release();
	expect(other.refusal(charge(5))).toBeUndefined();
});

it('takes the cap to its last credit, and no further', () => {
	const { one, other, charge } = twoCalls();
	const [four, six] = [charge(4), charge(6)];
	expect(one.admit([four, six], [10]).tooMuch).toBeUndefined();
	one.send(four);
	one.send(six);
	expect(other.remaining).toBe(0);
	expect(other.refusal(charge(1))).toBeDefined();
	one.settle(six.by, 5);
	expect(other.remaining).toBe(1);
	expect(other.refusal(charge(2))).toBeDefined();
	expect(other.refusal(charge(1))).toBeUndefined();
});

it('counts what an earlier start has cost, when it is lost and a second one is refused', () => {
	const { one, other, charge } = twoCalls();
	const twice = charge(5);
	one.admit([twice], [10]);
	one.send(twice);
	expect(one.refusal(twice)).toBeUndefined();
	one.send(twice);
	one.refund(twice.by);
	one.release();
	expect(other.remaining).toBe(5);
});
