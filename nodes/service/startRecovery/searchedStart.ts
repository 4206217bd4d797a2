import type { JsonObject } from '../http/transport';
import type { SharedLimits } from '../limits/sharedLimits';
import type { Listing } from './listings';
import { serverTimeOf } from './serverClock';
import type { ClockReading } from './serverClock';
import { isHiddenTarget } from './matchUnconfirmedStart';
import type { ListedJob } from './matchUnconfirmedStart';

/** A start that is looked for. */
export interface Searched {
	/** What the lists should show, and what they might show instead, as canonicalTarget has it. */
	target: string;
	otherTargets: string[];
	asked: string;
	body: JsonObject;
	sentMs: number;
	skewMs: number;
	/** By how much the clocks may differ at the very most. */
	maxSkewMs: number;
}

/** The least that the service's clock may have shown when the start was sent. */
export function notBeforeMs(
	{ sentMs, skewMs }: Pick<Searched, 'sentMs' | 'skewMs'>,
	clock: ClockReading,
): number {
	return serverTimeOf(clock, sentMs) - skewMs;
}

/** True when some job may be this start's although it does not show what it should, or not when it began. */
export function mayBeHidden(
	searched: Searched,
	{ byTarget, clock }: Listing,
	{ register }: Pick<SharedLimits, 'register'>,
): boolean {
	const { maxSkewMs: skewMs } = searched;
	const sinceMs = notBeforeMs({ ...searched, skewMs }, clock);
	const isYoung = ({ id, beganMs = Infinity }: ListedJob) =>
		beganMs >= sinceMs && !register.isKnown(id);
	if (searched.otherTargets.some((target) => byTarget.get(target)?.some(isYoung))) return true;
	if (byTarget.get(searched.target)?.some((job) => job.beganMs === undefined && isYoung(job))) {
		return true;
	}
	return [...byTarget].some(([target, jobs]) => isHiddenTarget(target) && jobs.some(isYoung));
}
