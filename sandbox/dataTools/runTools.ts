/** Runs of data tools, each paid once by its id. No recordings: docs/reference/service-notes.md#data-tools. */
import { z } from 'zod/v4';
import { jsonAnswer, noCreditsLeft, refusal } from '../http/answer.ts';
import type { Answer } from '../http/answer.ts';
import { callerFields } from '../http/bodySchema.ts';
import { findOptions, findTools } from './catalogue.ts';
import { TOOLS } from './tools.ts';

const MAX_CALLS = 10;

const call = z
	.object({ provider: z.string(), capability: z.string(), options: z.record(z.string(), z.unknown()).optional() })
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

/** The runs of an account: what has run under an id is not run, or paid, again. */
export function dataTools({ newId, now, credits }: DataToolParts) {
	const byId = new Map<string, { payload: string; answer: Answer }>();

	function runOne({ provider, capability, options = {} }: Call): Ran {
		const asked = { provider, capability };
		const fault = (code: string, message: string, status: number): Ran => ({
			element: { ...asked, error: { code, message, status } },
			credits: 0,
		});
		if (provider === 'firecrawl' && capability === 'find-tools') {
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
		const ran = calls.map(runOne);
		const creditsCost = ran.reduce((sum, one) => sum + one.credits, 0);
		if (creditsCost > credits.left()) return noCreditsLeft();
		credits.charge(creditsCost);
		const data = { alexandria: ran.map(({ element }) => element), creditsCost };
		return jsonAnswer(200, { success: true, scrape_id: newId(), data });
	}

	return {
		/** `requestId`: the header x-request-id, if there is one. */
		run(body: Body, requestId: string | undefined): Answer {
			if (requestId === undefined) return execute(body);
			if (!REQUEST_ID.test(requestId)) return refusal(400, 'x-request-id must match [A-Za-z0-9._:-]{1,128}');
			const payload = JSON.stringify(body);
			const before = byId.get(requestId);
			if (before && before.payload !== payload) {
				return refusal(409, 'This x-request-id was used with another payload');
			}
			if (before) return before.answer;
			const answer = execute(body);
			if (answer.status < 300) byId.set(requestId, { payload, answer });
			return answer;
		},
		clear: () => byId.clear(),
	};
}
