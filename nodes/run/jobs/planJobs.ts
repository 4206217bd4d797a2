import { maxCreditsOf, refuseUnpriced } from '../../cost/creditCap';
import { FREE, WAITS } from '../../fields/job/wait';
import type { GetJobOperation, StartJobOperation } from '../../operation/operation';
import { pageTextBound } from '../../operation/pageText';
import { filesToStore } from '../../operation/pages';
import { valueCheckOf } from '../../operation/valueCheck';
import { isJsonObject } from '../../service/http/answer';
import { failureOrThrow, refusedInput } from '../../service/http/failure';
import type { ServiceFailure } from '../../service/http/failure';
import type { JsonObject } from '../../service/http/transport';
import { kindAt, readJobId } from '../../service/jobs/jobKinds';
import type { JobKind } from '../../service/jobs/jobKinds';
import { asksForChanges, changesAsked, withFreshPages } from '../changes/pageChanges';
import { processClock } from '../connection/processClock';
import type { RunContext } from '../connection/runContext';
import { isToolCall, readItem, requestOf, valuesInPath } from '../input/readFields';
import type { FieldValues } from '../input/readFields';
import { keepToCap, overCapText } from '../ledger/creditAccount';
import type { CreditAccount } from '../ledger/creditAccount';
import type { Entry, SharedItem } from '../ledger/entries';
import { knownJobOf } from '../ledger/ledger';
import type { Ledger, Taken } from '../ledger/ledger';
import { withArticle } from '../output/hints';
import type { ItemFailure } from '../output/itemError';
import { byEntry, cutOffByCrash, itemsOf, jobCharge, unconfirmedStart } from '../job/jobPlan';
import type { JobOperation, JobPlan, Planned } from '../job/jobPlan';

/**
 * Plans the jobs of all input items. Nothing is sent here: bad input of any item is known before the first
 * job is paid for. `startedBefore`: what earlier tries have started.
 */
export function planItems(ctx: RunContext, operation: JobOperation, startedBefore: readonly Entry[]): Planned {
	const alone: Planned = { plans: [], failures: [] };
	for (let item = 0; item < ctx.getInputData().length; item++) {
		const planned = planItem(ctx, operation, item);
		if ('itemFailure' in planned) alone.failures.push(planned.itemFailure);
		else alone.plans.push(planned.plan);
	}
	const groupBy = operation.kind === 'startJob' ? operation.groupBy : undefined;
	return groupBy ? group(alone, groupBy, startedBefore) : alone;
}

/**
 * Decides which of these may be sent, before anything is sent: in an agent's turn, with the jobs that earlier tries
 * have started, under the caps of all. Where n8n has woken the execution, what has failed before that is not tried
 * again. Throws a ServiceFailure when the execution was stopped.
 */
export async function prepareJobs(
	planned: Planned,
	operation: JobOperation,
	{ ledger, account, isWoken }: { ledger: Ledger; account: CreditAccount; isWoken: boolean },
	borders: Parameters<Ledger['take']>[1],
): Promise<Planned> {
	const { plans, failures } = isWoken ? withFailuresBefore(planned, ledger) : planned;
	const starts = plans.flatMap(({ item, start, shared }) =>
		start ? [{ item, start, ...(shared && { shared }) }] : [],
	);
	const taken = await ledger.take(starts, borders);
	const before = new Map(starts.map(({ start }, index) => [start, taken[index]]));
	const attached = plans.map((plan) => {
		const its = plan.start && before.get(plan.start);
		return its ? attach(plan, its, ledger) : plan;
	});
	// A start of an earlier try with an unclear end is counted already.
	const isPaid = ({ start, past }: JobPlan) => !start || past?.kind === 'known' || past?.by === 'earlierTry';
	const charges = attached.map((plan) => ({ ...jobCharge(plan), isPaid: isPaid(plan) }));
	const { refused, tooMuch: message, notCounted } = keepToCap(charges, account, ledger.idsOf('run'));
	const reasons = attached
		.filter((plan) => refused.has(plan))
		.flatMap(itemsOf)
		.map((item, at): ItemFailure => ({ item, kind: 'badInput', message: overCapText(message, at) }));
	const overCap = reasons.length > 0 ? message : undefined;
	const { startedBefore } = ledger;
	const named = failures.map((itemFailure) => withItsJob(itemFailure, operation, startedBefore));
	return {
		plans: attached.filter((plan) => !refused.has(plan)),
		failures: [...named, ...reasons],
		notCounted,
		overCap,
	};
}

function withFailuresBefore({ plans, failures }: Planned, ledger: Ledger): Planned {
	const failed = [...failures];
	const others = plans.filter((plan) => {
		const { item, start } = plan;
		const failure = start && ledger.takeFailure({ item, start });
		if (failure) for (const one of itemsOf(plan)) failed.push({ ...failure, item: one });
		return !failure;
	});
	return { plans: others, failures: failed };
}

/** An expression may be empty this time that was not when the item's job was started: nobody loses that. */
function withItsJob(itemFailure: ItemFailure, { job: { label } }: JobOperation, started: Entry[]): ItemFailure {
	const { id, collectWith } = started.find(({ item }) => item === itemFailure.item) ?? {};
	if (id === undefined) return itemFailure;
	const message = `${itemFailure.message.replace(/ Nothing was sent\.$/, '')} Its ${label} ${id} was started before: ${collectWith} collects it.`;
	return { ...itemFailure, jobId: id, message };
}

/**
 * Groups the items that can share a job. Those that share one since an earlier try, before anything was edited,
 * do so again, with what was sent for them then: where an expression differs each time, other items might
 * be alike this time, and their pages would be looked for at other addresses.
 */
function group(
	{ plans, failures }: Planned,
	groupBy: NonNullable<StartJobOperation['groupBy']>,
	startedBefore: readonly Entry[],
): Planned {
	const again: JobPlan[] = [];
	const taken = new Set<number>();
	for (const { shared = [] } of startedBefore) {
		const items = new Set(shared.map(({ item }) => item));
		const settings = plans.find(({ item }) => items.has(item));
		if (!settings || shared.some(({ item }) => taken.has(item))) continue;
		again.push(sharedPlan(settings, shared, groupBy));
		for (const item of items) taken.add(item);
	}
	const others = plans.filter(({ item }) => !taken.has(item));
	return {
		plans: [...again, ...groupPlans(others, groupBy)].sort((left, right) => left.item - right.item),
		failures: failures.filter(({ item }) => !taken.has(item)),
	};
}

/** Takes the job of a start up from the ledger, instead of starting and paying again. */
function attach(plan: JobPlan, { key, entry }: Taken, ledger: Ledger): JobPlan {
	const { kind } = plan;
	if (!entry) return { ...plan, key };
	const isOfOther = () => ledger.isOfOther(entry);
	if (entry.state === 'killed') return { ...plan, key, past: cutOffByCrash(kind, entry, isOfOther) };
	if (entry.id === undefined) return { ...plan, key, past: unconfirmedStart(entry, isOfOther) };
	const known = knownJobOf(entry.id, entry, processClock.wallClock());
	const { started = {} } = entry;
	// The output is what was asked for then, not what the expressions would ask for now.
	const asked = Object.fromEntries(Object.entries(started).filter(([name]) => name !== 'id'));
	const past = { kind: 'known', isGone: false, isOfOther } as const;
	return { ...plan, key, past, known, entry: entry, sent: { ...plan.sent, ...asked } };
}

const DEFAULT_POLL_SECONDS = 5;

/** Without a plan: an item that cannot even be tried. */
type PlanOrFailure = { plan: JobPlan } | { itemFailure: ItemFailure };

/**
 * Reads one item's parameters. Sends nothing, so that bad input of any item is known before the first
 * job is paid for.
 */
function planItem(ctx: RunContext, operation: JobOperation, item: number): PlanOrFailure {
	try {
		const fields = readItem(ctx, operation.fields, item);
		const plan = operation.kind === 'startJob' ? planStart(operation, item, fields) : planGet(operation, item, fields);
		const asText = isToolCall(ctx);
		const check = valueCheckOf(fields.values, plan.sent);
		if (plan.choice === 'file' && asText) throw fileForAgent();
		const bound = plan.choice === 'file' ? undefined : pageTextBound(fields.values, asText);
		return { plan: { ...plan, check, bound } };
	} catch (error) {
		const { kind, message } = failureOrThrow(error);
		return { itemFailure: { item, kind, message } };
	}
}

/** n8n hands no files to an AI agent (docs/reference/n8n-internals.md#tools-of-an-agent). */
function fileForAgent(): ServiceFailure {
	return refusedInput('"Output" is One File, which an AI agent cannot read: choose One Item per Page.');
}

function planStart(operation: StartJobOperation, item: number, fields: FieldValues): JobPlan {
	const { values } = fields;
	const { request, addsTo, job, about } = operation;
	const body = asksForChanges(changeOptions(values)) ? withFreshPages(fields.body) : fields.body;
	const fault = operation.faultIn?.(body);
	if (fault !== undefined) throw refusedInput(fault);
	const plan = planCommon(item, fields, kindAt(job, values), operation.defaultMaxWaitSeconds(body));
	if (plan.frees && body.webhook !== undefined) throw twoWebhooks();
	// A job that others have started is not this execution's to cancel.
	const cancelOnStop = plan.cancelOnStop && (addsTo === undefined || body[addsTo] === undefined);
	// A start without a body has the ID of its subject in its path.
	const sent = { ...valuesInPath(request.path, (name) => values[name]), ...body };
	const changes = changesAsked(job.label, changeOptions(values), body);
	refuseUnpriced(operation.worstCase, sent, maxCreditsOf(values));
	return {
		...plan,
		about,
		cancelOnStop,
		sent,
		changes,
		start: requestOf(request, { ...fields, body }),
	};
}

function planGet(operation: GetJobOperation, item: number, fields: FieldValues): JobPlan {
	const { values, query } = fields;
	const id = readKnownJobId(values, operation.job);
	const kind = kindAt(operation.job, values);
	const plan = planCommon(item, fields, kind, operation.defaultMaxWaitSeconds({}));
	const changes = changesAsked(operation.job.label, changeOptions(values), undefined);
	return { ...plan, known: { id, ageMs: 0 }, pagesQuery: query, changes };
}

/** The options of changesAsked, with the output that they are for. */
function changeOptions(values: JsonObject): JsonObject {
	const { options, output } = values;
	return { ...(isJsonObject(options) ? options : {}), output, ignoresText: valueCheckOf(values)?.hidesText };
}

/** The id in the parameter Job ID. Throws a ServiceFailure when it cannot be the id of a job. */
export function readKnownJobId({ jobId }: JsonObject, job: JobKind): string {
	const id = readJobId(jobId);
	if (id !== undefined) return id;
	throw refusedInput(
		`"Job ID" must be the ID of ${withArticle(job.label)}, made of letters, digits and dashes, but it is ${JSON.stringify(jobId).slice(0, 80)}.`,
	);
}

/** A job has one webhook. Throws before anything is paid. */
function twoWebhooks(): ServiceFailure {
	return refusedInput(
		'"Webhook" cannot be set together with "Wait in the Background" in "Wait for Completion", which has the service call n8n instead: remove one of them.',
	);
}

/** A node that asks for the state alone wants to know it whatever it is, unless it says otherwise. */
function failsOnFailure({ onFailure }: JsonObject, { output }: JsonObject): boolean {
	return onFailure === 'fail' || (onFailure !== 'output' && output !== 'status');
}

function planCommon(item: number, { values }: FieldValues, kind: JobKind, defaultMaxWaitSeconds: number): JobPlan {
	const own = (values.options ?? {}) as JsonObject;
	const options: JsonObject = { ...own, ...(own.waitOptions as JsonObject | undefined) };
	const { waitForCompletion } = values;
	const isFixed = options.polling === 'fixed';
	const watched = WAITS.some((value) => value === waitForCompletion);
	return {
		kind,
		item,
		key: undefined,
		sent: undefined,
		choice: String(values.output ?? ''),
		failOnTimeout: options.onTimeout !== 'output',
		failOnFailure: failsOnFailure(options, values),
		failOnPartial: options.onPartial === 'fail',
		ifUncertain: options.onUnclearStart === 'startAgain' ? 'sendOnceMore' : 'tell',
		// Whoever does not wait wants the job to outlive the execution.
		cancelOnStop: watched && options.cancelOnStop !== false,
		firstPage: values.fromPage === undefined ? undefined : Number(values.fromPage),
		mostPages: values.returnAll === false ? Number(values.limit) : undefined,
		failedPages: options.failedPages === true,
		storedFiles: filesToStore(values),
		...(options.maxJobsAtOnce !== undefined && { concurrency: Number(options.maxJobsAtOnce) }),
		maxCredits: maxCreditsOf(values),
		watched,
		frees: waitForCompletion === FREE,
		maxWaitMs: Number(options.maxWait ?? defaultMaxWaitSeconds) * 1000,
		interval: isFixed ? Number(options.pollInterval ?? DEFAULT_POLL_SECONDS) * 1000 : null,
	};
}

type GroupBy = NonNullable<StartJobOperation['groupBy']>;

/**
 * Makes one job of the items that ask for the same but for one entry of a list (`groupBy`), up to so many
 * entries a job. A URL that several items have is sent once. What is no such item stays as it is.
 * The same input gives the same jobs again, so that a retry finds them in the ledger.
 */
function groupPlans(plans: JobPlan[], groupBy: GroupBy): JobPlan[] {
	const groups = new Map<string, JobPlan[]>();
	const others: JobPlan[] = [];
	for (const plan of plans) {
		if (entryOf(plan, groupBy) === undefined) others.push(plan);
		else {
			const likeness = likenessOf(plan, groupBy);
			const group = groups.get(likeness);
			if (group) group.push(plan);
			else groups.set(likeness, [plan]);
		}
	}
	const grouped = [...groups.values()].flatMap((group) => jobsOfGroup(group, groupBy));
	return [...others, ...grouped].sort((left, right) => left.item - right.item);
}

function entryOf(plan: JobPlan, { property }: GroupBy): string | undefined {
	const entry = plan.start?.body?.[property];
	return typeof entry === 'string' ? entry : undefined;
}

/** Equal for plans that differ in nothing but item and entry. */
function likenessOf(plan: JobPlan, { property }: GroupBy): string {
	const others = { ...plan, item: null, sent: null, start: null };
	return JSON.stringify([others, { ...plan.start?.body, [property]: null }]);
}

function jobsOfGroup(group: JobPlan[], groupBy: GroupBy): JobPlan[] {
	const sameEntry = byEntry(group.map((plan) => ({ item: plan.item, entry: entryOf(plan, groupBy) ?? '' })));
	const [first] = group;
	const jobs: JobPlan[] = [];
	for (let from = 0; first && from < sameEntry.length; from += groupBy.mostInOneJob) {
		const part = sameEntry.slice(from, from + groupBy.mostInOneJob);
		jobs.push(sharedPlan(first, part.flat(), groupBy));
	}
	return jobs;
}

/** The plan of a job that these items share, with the settings of the plan of one of them. */
function sharedPlan(plan: JobPlan, items: readonly SharedItem[], { property }: GroupBy): JobPlan {
	if (!plan.start) return plan;
	const shared = [...items].sort((left, right) => left.item - right.item);
	const list = byEntry(shared).flatMap(([item]) => (item ? [item.entry] : []));
	const body = { ...plan.start.body, [property]: list };
	const item = shared[0]?.item ?? plan.item;
	return { ...plan, item, shared, sent: body, start: { ...plan.start, body } };
}
