import { z } from 'zod/v4';
import { MODEL_FAULTS } from '../model/modelFault.ts';
import type { Random } from '../runtime/runtime.ts';

/** What a request is for: where faults strike and requests are counted. */
const STEPS = [
	'researchStart',
	'researchStatus',
	'crawlStart',
	'crawlStatus',
	'batchStart',
	'batchStatus',
	/** A further slice of the pages of a crawl, a batch or a check: a status with `skip` in its query. */
	'slice',
	'cancel',
	'errors',
	'active',
	'activity',
	'preview',
	'scrape',
	'scrapeStatus',
	/** A run of a data tool. */
	'dataTool',
	/** A look into the catalogue of data tools. */
	'findTools',
	'map',
	'search',
	'developerSearch',
	'governmentSearch',
	'papers',
	'agentStart',
	'agentStatus',
	'agentTrace',
	'extractStart',
	'extractStatus',
	'llmsTxtStart',
	'llmsTxtStatus',
	'browserCreate',
	'browserList',
	'browserExecute',
	'browserReplay',
	'browserDelete',
	'interact',
	'interactStop',
	'parse',
	'parseFormats',
	'monitor',
	'monitorRun',
	'monitorCheck',
	'monitorChecks',
	'account',
	'feedback',
	'support',
	/** A call of the chat model. */
	'model',
	'other',
] as const;
export type Step = (typeof STEPS)[number];

/** Names for several steps at once: any kind of job. A further slice is no `status`. */
const STEP_GROUPS = {
	start: ['researchStart', 'crawlStart', 'batchStart', 'agentStart', 'extractStart', 'llmsTxtStart', 'monitorRun'],
	status: [
		'researchStatus',
		'crawlStatus',
		'batchStatus',
		'agentStatus',
		'extractStatus',
		'llmsTxtStatus',
		'monitorCheck',
	],
} as const satisfies Record<string, readonly Step[]>;

/** Whether a rule for the named step or steps is meant by this one. */
function meansStep(name: Fault['step'], step: Step): boolean {
	// The model is no part of the service, and what it is sent may name any address.
	if (name === step || (name === 'any' && step !== 'model')) return true;
	if (name !== 'start' && name !== 'status') return false;
	const group: readonly Step[] = STEP_GROUPS[name];
	return group.includes(step);
}

const matching = {
	/** A step, `start` or `status` for those of any kind of job, or `any` but `model`. */
	step: z.enum(['any', 'start', 'status', ...STEPS]).default('any'),
	/**
	 * Strikes only where the query holds this text: the question of a research, the address of a crawl,
	 * scrape or map, the addresses of a batch, the words of a search, all that the model is sent. Never where
	 * there is none.
	 */
	query: z.string().optional(),
	/** How often it strikes; default: always. */
	times: z.number().int().min(0).optional(),
	/** How many matching requests pass first. */
	skip: z.number().int().min(0).optional(),
	/** Seeded probability per matching request. */
	share: z.number().min(0).max(1).optional(),
	/**
	 * `before`: instead of the work. `after`: the work was done, only its answer is spoiled;
	 * strikes only where the work succeeded. `wrongType`, `failJob` and `expire` always do the work.
	 */
	when: z.enum(['before', 'after']).default('before'),
};

const headerValue = z.union([z.string(), z.number()]);
const statusCode = z.number().int().min(200).max(599);

const faultRuleSchema = z.discriminatedUnion('kind', [
	/** An error answer in the service's envelope. */
	z.object({
		...matching,
		kind: z.literal('status'),
		httpStatus: statusCode,
		error: z.string().optional(),
		retryAfter: headerValue.optional(),
	}),
	/** The connection is reset without an answer. */
	z.object({ ...matching, kind: z.literal('reset') }),
	/** Half of the answer, then the connection is reset. */
	z.object({ ...matching, kind: z.literal('truncated') }),
	/** 200 with an HTML page, as a captive portal or a login page gives. */
	z.object({ ...matching, kind: z.literal('html') }),
	/** 502 with an HTML page, as a gateway gives. */
	z.object({ ...matching, kind: z.literal('htmlError') }),
	/** `before`: nothing happens for so long, then the work. `after`: the headers come, the body drips in over so long. */
	z.object({ ...matching, kind: z.literal('slow'), ms: z.number().min(0) }),
	/** Never answers. */
	z.object({ ...matching, kind: z.literal('hang') }),
	/** The true JSON, called text/plain. */
	z.object({ ...matching, kind: z.literal('wrongType') }),
	/** 200 with JSON of another shape. */
	z.object({ ...matching, kind: z.literal('wrongShape'), body: z.unknown() }),
	/** 200 with nothing in it. */
	z.object({ ...matching, kind: z.literal('empty') }),
	/** Sends the client elsewhere. */
	z.object({
		...matching,
		kind: z.literal('redirect'),
		to: z.string(),
		httpStatus: z.number().int().min(301).max(308).default(302),
	}),
	/** 429; the text is the service's, the header as given. */
	z.object({ ...matching, kind: z.literal('rateLimit'), retryAfter: headerValue.optional() }),
	/** The job fails: at a start, the new job will; at a status, it has. */
	z.object({ ...matching, kind: z.literal('failJob'), error: z.string().optional() }),
	/** The job vanishes, so that its id is unknown (404). */
	z.object({ ...matching, kind: z.literal('expire') }),
	/** The chat model does this wrong; strikes at the step `model` only. */
	z.object({ ...matching, kind: z.literal('model'), fault: z.enum(MODEL_FAULTS) }),
	/** Status, headers and body word for word; a body that is no string is sent as JSON. */
	z.object({
		...matching,
		kind: z.literal('body'),
		httpStatus: statusCode.default(200),
		headers: z.record(z.string(), z.string()).default({}),
		body: z.unknown().optional(),
	}),
]);

/** What a fault may do. */
export const FAULT_KINDS = faultRuleSchema.options.map(({ shape }) => shape.kind.value);

/** A fault as it is given: fields with a default may be left out; `{key}` in its texts becomes the key of the request that it strikes. */
export type FaultRule = z.input<typeof faultRuleSchema>;

/** A fault with its defaults filled in. */
export type Fault = z.output<typeof faultRuleSchema>;

/** Fills the defaults. Throws a ZodError for a rule that makes no sense. */
export function readFaultRule(rule: unknown): Fault {
	return faultRuleSchema.parse(rule);
}

/** What tests and the control routes may do with faults. */
export interface Faults {
	/** Adds a fault and returns what takes it away again. Throws for a rule that makes no sense. */
	add(rule: FaultRule): () => void;
	clear(): void;
}

/**
 * `job`: as soon as it is known which job is meant, that is before a status and after a start. `model`: while the
 * chat model makes its reply.
 */
export type Phase = 'before' | 'job' | 'model' | 'after';

interface BookedFault {
	fault: Fault;
	passesLeft: number;
	strikesLeft: number;
}

function phaseOf(fault: Fault): Phase {
	if (fault.kind === 'failJob' || fault.kind === 'expire') return 'job';
	if (fault.kind === 'model') return 'model';
	// There has to be a true answer to give it the wrong type.
	return fault.kind === 'wrongType' ? 'after' : fault.when;
}

function matches(fault: Fault, step: Step, query: string | undefined): boolean {
	if (!meansStep(fault.step, step)) return false;
	return fault.query === undefined || (query?.includes(fault.query) ?? false);
}

function toBooked(rule: unknown): BookedFault {
	const fault = readFaultRule(rule);
	return { fault, passesLeft: fault.skip ?? 0, strikesLeft: fault.times ?? Infinity };
}

/** Holds the faults that are set, and those of `always` behind them; the first that matches a request strikes it. */
export function faultBook(random: Random, always: readonly FaultRule[] = []) {
	const booked = new Map<number, BookedFault>();
	const standing = always.map(toBooked);
	let lastId = 0;

	/** As `add`, for a rule that came over HTTP. Returns the id to remove it by. */
	const addUnknown = (rule: unknown): number => {
		const added = toBooked(rule);
		lastId += 1;
		booked.set(lastId, added);
		return lastId;
	};

	const mayStrike = (entry: BookedFault): boolean => {
		if (entry.passesLeft > 0) {
			entry.passesLeft -= 1;
			return false;
		}
		if (entry.strikesLeft <= 0) return false;
		if (entry.fault.share !== undefined && random() >= entry.fault.share) return false;
		entry.strikesLeft -= 1;
		return true;
	};

	return {
		add(rule: FaultRule) {
			const id = addUnknown(rule);
			return () => void booked.delete(id);
		},
		addUnknown,
		/** Whether there was a fault of that id. */
		remove: (id: number) => booked.delete(id),
		clear: () => booked.clear(),
		/** The fault that strikes this request now, if one does; counts it. */
		strike(step: Step, query: string | undefined, phase: Phase): Fault | undefined {
			for (const entry of [...booked.values(), ...standing]) {
				if (phaseOf(entry.fault) !== phase || !matches(entry.fault, step, query)) continue;
				if (mayStrike(entry)) return entry.fault;
			}
			return undefined;
		},
	};
}
