import type { Credits } from '../account/credits.ts';

/** What a server without limits says is left (recording other-01 of 2025). */
const WITHOUT_LIMIT = 99_999_999;
const TOKENS_PER_CREDIT = 15;

/** The month of the moment, from its first day to the next one's. */
function monthOf(nowMs: number): { start: string; end: string; before: string } {
	const now = new Date(nowMs);
	const first = (offset: number): string =>
		new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + offset, 1)).toISOString();
	return { start: first(0), end: first(1), before: first(-1) };
}

/** The balance and the plan's share (recordings team-01, team-07), in credits or tokens. */
export function balance(
	credits: Credits,
	planCredits: number,
	unit: 'credits' | 'tokens',
	nowMs: number,
): Record<string, unknown> {
	const factor = unit === 'tokens' ? TOKENS_PER_CREDIT : 1;
	const name = unit === 'tokens' ? 'Tokens' : 'Credits';
	const { start, end } = monthOf(nowMs);
	return {
		[`remaining${name}`]: Math.min(WITHOUT_LIMIT, credits.left() * factor),
		[`plan${name}`]: Math.min(WITHOUT_LIMIT, planCredits * factor),
		billingPeriodStart: start,
		billingPeriodEnd: end,
	};
}

/** What was used month by month; by key only where asked for (recordings team-03 to team-05, team-09). */
export function history(
	credits: Credits,
	unit: 'credits' | 'tokens',
	byApiKey: boolean,
	nowMs: number,
): Array<Record<string, unknown>> {
	const factor = unit === 'tokens' ? TOKENS_PER_CREDIT : 1;
	const field = unit === 'tokens' ? 'tokensUsed' : 'creditsUsed';
	const { start, before } = monthOf(nowMs);
	const period = (startDate: string, endDate: string | null, used: number) => ({
		startDate,
		endDate,
		...(byApiKey && { apiKey: 'Default' }),
		[field]: used * factor,
	});
	return [period(before, start, 0), period(start, null, credits.used())];
}
