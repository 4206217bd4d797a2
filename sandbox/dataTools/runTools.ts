/** Runs of data tools, each paid once by its id. No recordings: docs/reference/service-notes.md#data-tools. */
import { z } from 'zod/v4';
import { jsonAnswer, refusal } from '../http/answer.ts';
import type { Answer } from '../http/answer.ts';
import { callerFields } from '../http/bodySchema.ts';
import { findOptions, findTools } from './catalogue.ts';
import { TOOLS } from './tools.ts';

const MAX_CALLS = 10;

const call = z
	.object({
		provider: z.string().min(1).max(200),
		capability: z.string().min(1).max(200),
		version: z.string().min(1).max(128).optional(),
		options: z.record(z.string(), z.unknown()).optional(),
	})
	.strict();

/** A scrape that runs data tools instead of reading a page. */
export const dataToolsSchema = z
	.object({
		alexandria: z.union([call, z.array(call).min(1).max(MAX_CALLS)]),
		timeout: z.number().int().min(1).optional(),
		...callerFields,
	})
	.strict();

type Call = z.output<typeof call>;
type Body = z.output<typeof dataToolsSchema>;

/** The service itself, which keeps the catalogue. */
const FIND_PROVIDER = 'firecrawl';

const REQUEST_ID = /^[\w.:-]{1,128}$/;

interface Ran {
	element: Record<string, unknown>;
	credits: number;
}

interface DataToolParts {
	newId(): string;
	now(): number;
	credits: { charge(credits: number): void; left(): number };
}

/** An id is known for so long. */
const KEPT_MS = 7 * 24 * 3_600_000;

/** The runs of an account: what has run under an id is not run, or paid, again. */
export function dataTools({ newId, now, credits }: DataToolParts) {
	const byId = new Map<string, { payload: string; answer: Answer; at: number }>();

	function runOne({ provider, capability, options = {} }: Call): Ran {
		const asked = { provider, capability };
		const fault = (code: string, message: string, status: number): Ran => ({
			element: { ...asked, error: { code, message, status } },
			credits: 0,
		});
		if (provider === FIND_PROVIDER && capability === 'find-tools') {
			const read = findOptions.safeParse(options);
			if (!read.success) return fault('INVALID_OPTIONS', 'Unknown options of find-tools', 400);
			return { element: { ...asked, creditsCost: 0, data: findTools(read.data) }, credits: 0 };
		}
		const tool = TOOLS.find((one) => one.provider === provider && one.capability === capability);
		if (!tool) return fault('UNKNOWN_TOOL', `There is no tool ${provider}/${capability}`, 404);
		const missing = tool.options.find((option) => option.required && options[option.name] === undefined);
		if (missing) return fault('INVALID_OPTIONS', `${missing.name} is required`, 400);
		const ran = tool.run(options);
		if ('error' in ran) {
			const taken = ran.isCharged ? tool.creditsCost : 0;
			const chargeId = ran.isCharged ? { chargeId: newId() } : {};
			return { element: { ...asked, error: { ...ran.error, ...chargeId } }, credits: taken };
		}
		const records = Array.isArray(ran.data) ? ran.data.length : 1;
		const creditsCost = tool.creditsCost * (tool.perRecord ? records : 1);
		const recordedAt = new Date(now()).toISOString();
		return {
			element: { ...asked, creditsCost, data: ran.data, records, upstreamStatus: 200, recordedAt },
			credits: creditsCost,
		};
	}

	function execute({ alexandria }: Body): Answer {
		const calls = [alexandria].flat();
		const terms = calls.map(({ provider }) => TOOLS.find((tool) => tool.provider === provider)?.terms).find(Boolean);
		if (terms) {
			return refusal(403, 'The terms of this provider have not been accepted', {
				code: 'THIRD_PARTY_DATA_TERMS_REQUIRED',
				requiresAction: { type: 'accept_terms', ...terms },
			});
		}
		const known = [FIND_PROVIDER, ...TOOLS.map(({ provider }) => provider)];
		const stranger = calls.find(({ provider }) => !known.includes(provider));
		if (stranger) return refusal(404, `Unknown provider: ${stranger.provider}`, { code: 'unknown_provider' });
		const ran = calls.map(runOne);
		const creditsCost = ran.reduce((sum, one) => sum + one.credits, 0);
		if (creditsCost > credits.left()) {
			const text = `This request needs up to ${creditsCost} credits reserved`;
			return refusal(402, text, { code: 'insufficient_credits' });
		}
		credits.charge(creditsCost);
		const data = { alexandria: ran.map(({ element }) => element), creditsCost };
		return jsonAnswer(200, { success: true, scrape_id: newId(), data });
	}

	return {
		/** `requestId`: the header x-request-id, if there is one. */
		run(body: Body, requestId: string | undefined): Answer {
			if (requestId === undefined) return execute(body);
			if (!REQUEST_ID.test(requestId)) return refusal(400, 'x-request-id must match [A-Za-z0-9._:-]{1,128}');
			// The time limit is no part of what was asked for.
			const payload = JSON.stringify(body.alexandria);
			const stored = byId.get(requestId);
			const before = stored && now() < stored.at + KEPT_MS ? stored : undefined;
			if (before && before.payload !== payload) {
				const named = { code: 'duplicate_request', chargeId: requestId };
				return refusal(409, 'This x-request-id was used with other calls', named);
			}
			if (before) return before.answer;
			const answer = execute(body);
			if (answer.status < 300) byId.set(requestId, { payload, answer, at: now() });
			return answer;
		},
		clear: () => byId.clear(),
	};
}
