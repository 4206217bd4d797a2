import { SharedLimits } from '../../nodes/service/limits/sharedLimits';
import { mayBeHidden } from '../../nodes/service/startRecovery/searchedStart';

const AT = Date.UTC(2026, 10, 21, 20);

describe('a job that may be the one that is looked for, although it does not show it', () => {
	const limits = new SharedLimits();
	limits.register.know('known', 0);
	const others = { body: {}, skewMs: 10, maxSkewMs: 100 };
	const searched = { target: 'first', otherTargets: ['second'], asked: '', sentMs: 0, ...others };
	const clock = { dateMs: AT, receivedMs: 0 };
	const isHidden = (target: string, beganMs: number | undefined, id = 'x') => {
		const byTarget = new Map([[target, [{ id, target, beganMs }]]]);
		return mayBeHidden(searched, { byTarget, clock, completeSinceMs: 0, hasEnded: true }, limits);
	};

	it.each(['second', '', ' ', '<redacted>'])('shows %j, and began since it was sent', (target) => {
		expect(isHidden(target, AT - 100)).toBe(true);
		expect(isHidden(target, AT - 101)).toBe(false);
		expect(isHidden(target, undefined)).toBe(true);
		expect(isHidden(target, AT, 'known')).toBe(false);
	});

	it('asks for the same, and does not tell when it began', () => {
		expect(isHidden('first', undefined)).toBe(true);
		expect(isHidden('first', undefined, 'known')).toBe(false);
		expect(isHidden('first', AT)).toBe(false);
	});

	it('stands beside others that are not it', () => {
		const of = (target: string) =>
			['known', 'x'].map((id) => ({ id, target, beganMs: target === 'first' ? undefined : AT }));
		for (const target of ['first', 'second', '<redacted>']) {
			const byTarget = new Map([
				['third', of('third')],
				[target, of(target)],
			]);
			const listing = { byTarget, clock, completeSinceMs: 0, hasEnded: true };
			expect(mayBeHidden(searched, listing, limits)).toBe(true);
		}
	});

	it('does not ask for something else', () => {
		expect(isHidden('third', AT)).toBe(false);
		expect(isHidden('<b', AT)).toBe(false);
	});
});
