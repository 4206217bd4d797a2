import { NodeApiError } from 'n8n-workflow';
import type { IPollFunctions } from 'n8n-workflow';

import { ServiceFailure } from '../service/http/failure';
import { PollFailure } from './events/pollEvent';

/** Most kinds of trouble that are remembered as told. */
const MAX_TROUBLES = 10;

/**
 * What the polls of this process have told, by trigger: with durable cursors n8n keeps nothing that a poll
 * has stored when it throws (n8n 2.40, N8N_POLLER_DURABLE_CURSORS_ENABLED).
 */
const shownProblems = new Map<string, string[]>();

/** Where it is stored what was told of the polls that have failed since one succeeded. */
interface Told {
	/** A code or a kind of failure each. */
	failing?: string[];
}

/** Identifies a trigger in this process. */
export function nameOf(ctx: IPollFunctions): string {
	return `${ctx.getWorkflow().id ?? ''}/${ctx.getNode().id}`;
}

/**
 * Whether an error is told now: it is not while the same trouble goes on. `isActivating`: somebody has just
 * activated the workflow or changed it, and is told again.
 */
export function isToBeTold(
	ctx: IPollFunctions,
	stored: Told,
	error: Error,
	isActivating: boolean,
): boolean {
	const told = isActivating ? [] : toldBefore(ctx, stored);
	const trouble = troubleOf(error);
	if (told.includes(trouble)) return false;
	stored.failing = [...told, trouble].slice(-MAX_TROUBLES);
	shownProblems.set(nameOf(ctx), stored.failing);
	return true;
}

/** Forgets what was told: a poll has succeeded. */
export function forgetTroubles(ctx: IPollFunctions, stored: Told): void {
	delete stored.failing;
	shownProblems.delete(nameOf(ctx));
}

/** Somebody who activates the workflow again is told again; n8n's durable polls after that are updates. */
function toldBefore(ctx: IPollFunctions, { failing }: Told): string[] {
	if (Array.isArray(failing)) return failing.map(String);
	return ctx.getActivationMode() === 'update' ? (shownProblems.get(nameOf(ctx)) ?? []) : [];
}

/**
 * What makes two failures the same trouble. A service that is down says so in many ways: all that passes by
 * itself is one. What somebody must act on is told by its code, or by its text.
 */
function troubleOf(error: Error): string {
	if (error instanceof PollFailure) return error.trouble;
	if (!(error instanceof ServiceFailure || error instanceof NodeApiError)) return error.message;
	if (error instanceof ServiceFailure && error.kind === 'badInput') return error.message;
	if (error instanceof ServiceFailure && error.isMissingOnServer) return error.message;
	const code = Number(error.httpCode ?? 0);
	const isPassing = code < 400 || code === 408 || code === 429 || code >= 500;
	return isPassing ? 'outage' : String(code);
}
