import fc from 'fast-check';
import { ServiceFailure } from '../../nodes/service/http/failure';
import type { Turn } from '../../nodes/service/limits/gate';
import { SharedLimits } from '../../nodes/service/limits/limits';

const refusal = new ServiceFailure({ kind: 'rateLimited', reached: 'no', message: 'Too many' });

/** What may happen at a gate; `which` chooses one of those that it may happen to. */
const EVENTS = [
	'enqueue',
	'withdraw',
	'accepted',
	'answered',
	'refused',
	'released',
	'joined',
	'ended',
	'left',
	'later',
] as const;
const event = fc.record({ what: fc.constantFrom(...EVENTS), which: fc.nat(50) });

it('holds a turn for each job that runs and each try under way, whatever happens in which order', () => {
	fc.assert(
		fc.property(fc.array(event, { maxLength: 120 }), (events) => {
			const limits = new SharedLimits();
			const gate = limits.starts('crawl');
			let nowMs = 0;
			let running = 0;
			const waiting: Turn[] = [];
			const trying: Turn[] = [];
			const enqueue = (turn: Turn) => {
				waiting.push(turn);
				gate.enqueue(turn, nowMs);
			};
			const newTurn = (owner: string): Turn => {
				const turn: Turn = {
					owner,
					go: () => {
						waiting.splice(waiting.indexOf(turn), 1);
						trying.push(turn);
					},
				};
				return turn;
			};
			const take = (list: Turn[], which: number) => list.splice(which % list.length, 1)[0];
			const tell = (what: (turn: Turn) => void, which: number) => {
				const turn = trying.length > 0 ? take(trying, which) : undefined;
				if (turn) what(turn);
				return turn;
			};
			for (const { what, which } of events) {
				if (what === 'enqueue') enqueue(newTurn(`execution ${which % 3}`));
				if (what === 'withdraw' && waiting.length > 0) {
					const turn = take(waiting, which);
					if (turn) gate.withdraw(turn);
				}
				if (what === 'accepted') {
					tell((turn) => {
						running += 1;
						gate.accepted(turn, nowMs);
					}, which);
				}
				if (what === 'answered') tell((turn) => gate.answered(turn, nowMs), which);
				if (what === 'released') tell((turn) => gate.released(turn), which);
				if (what === 'refused') {
					const turn = tell((one) => {
						limits.pauses.refused('crawl', nowMs, undefined, 0.5);
						gate.refused(one, nowMs, refusal);
					}, which);
					if (turn) enqueue(turn);
				}
				if (what === 'joined') {
					running += 1;
					gate.joined();
				}
				if ((what === 'ended' || what === 'left') && running > 0) {
					running -= 1;
					if (what === 'ended') gate.ended(nowMs);
					else gate.left();
				}
				if (what === 'later') {
					nowMs += which * 1000;
					gate.pump(nowMs);
				}
				expect(gate.idle).toBe(running + trying.length + waiting.length === 0);
			}
			for (let round = 0; round < 10_000 && !gate.idle; round++) {
				if (trying.length > 0) tell((turn) => gate.answered(turn, nowMs), 0);
				for (; running > 0; running--) gate.ended(nowMs);
				nowMs += 60_000;
				gate.pump(nowMs);
			}
			expect(gate.idle).toBe(true);
			expect(waiting).toHaveLength(0);
		}),
	);
});
