import type { IExecuteFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';
import { ResearchFailure } from '../research/contract/result';
import type { CheckedText } from '../research/checkText';
import type { ResearchParts } from '../research/contract/parts';
import type { ResearchQuestion } from '../research/contract/question';
import type { ResearchResult } from '../research/contract/result';
import { research } from '../research/research';
import { isRetryComing, isToolCall, keepsFailedItems } from '../run/input/readFields';
import { isAfterCrash, researchStore } from '../run/ledger/crash';
import type { CreditAccount } from '../run/ledger/creditAccount';
import { InFlightStarts } from '../run/ledger/entries';
import { Writing } from '../run/ledger/writing';
import { loadMemory } from '../run/memory/memory';
import { runError } from '../run/output/itemError';
import type { ItemFailure } from '../run/output/itemError';
import { mapConcurrently } from '../run/output/outputItem';
import { wantsPrice } from '../run/price/wantsPrice';
import { runNode } from '../run/runNode';
import type { ServiceClient } from '../service/client';
import { failureOrThrow, refusedInput } from '../service/http/failure';
import { count } from '../text/amounts';
import { readQuestion } from './askedQuestion';
import type { AskedQuestion } from './askedQuestion';
import { readAskedText } from './check/askedText';
import { checkHints, checkedOutput } from './check/checkedOutput';
import { WebCalls } from './researchCalls';
import { ResearchHistories } from './researchHistory';
import { ResearchMemory } from './researchMemory';
import { modelWaitLog, partsOf, questionAccount, stopError, tellOpen } from './researchParts';
import { runHints } from './researchHints';
import { researchOutput } from './researchOutput';

/** Questions that are researched at once; the calls of the models that are allowed are shared among them. */
const QUESTIONS_AT_ONCE = 3;

/** One question, and what became of it. */
interface Plan {
	item: number;
	asked: AskedQuestion;
	memory: ResearchMemory;
	calls: WebCalls;
	result?: ResearchResult;
	/** Of a text that is checked. */
	checked?: CheckedText;
	/** How its file was read where nothing says it. */
	assumed: string | undefined;
	/** What to compare with is not known: all is told. */
	isLost?: boolean;
}

/** Researches the questions of all items, side by side, and puts their results out in the order of the input. */
class ResearchRun {
	private readonly plans: Plan[] = [];

	private readonly failures: ItemFailure[] = [];

	private readonly account: CreditAccount;

	/** Ends the other questions where one that fails ends the run; what they have paid for stays noted. */
	private readonly ending = new AbortController();

	private readonly signal: AbortSignal;

	private readonly continues: boolean;

	private readonly writing: Writing;

	private continued = 0;

	private waiting = 0;

	/** Where a question tells what is new. */
	private histories: ResearchHistories | undefined;

	/** Why nothing was stored. */
	private notStored: string | undefined;

	private readonly logModelWait: NonNullable<ResearchParts['onModelWait']>;

	constructor(
		private readonly ctx: IExecuteFunctions,
		private readonly client: ServiceClient,
		private readonly fields: INodeProperties[],
		/** Whether texts are checked, instead of questions researched. */
		private readonly isCheck: boolean,
	) {
		this.continues = keepsFailedItems(ctx);
		this.logModelWait = modelWaitLog(ctx, client);
		this.writing = new Writing(ctx, client.baseUrl);
		this.account = questionAccount(ctx);
		const stop = ctx.getExecutionCancelSignal();
		const { signal } = this.ending;
		this.signal = stop ? AbortSignal.any([stop, signal]) : signal;
	}

	async run(): Promise<INodeExecutionData[]> {
		try {
			return await this.carryOut();
		} finally {
			this.account.release();
		}
	}

	private async carryOut(): Promise<INodeExecutionData[]> {
		for (const item of this.ctx.getInputData().keys()) await this.plan(item);
		this.throwFailure();
		await this.beginHistories();
		this.account.admit(
			[],
			this.plans.map(({ asked }) => asked.maxCredits),
		);
		this.waiting = this.plans.length;
		await mapConcurrently(QUESTIONS_AT_ONCE, this.plans, async (plan) => await this.answer(plan));
		if (this.client.stopped) throw stopError(this.ctx, 'The research', this.plans);
		this.throwFailure();
		const { ctx, client, plans, failures, histories } = this;
		const output = this.isCheck
			? await checkedOutput(ctx, client, plans, failures)
			: await researchOutput(ctx, client, plans, failures, histories?.memory);
		// An agent that is tried again asks the same again: its answers stay.
		const isOver = !isRetryComing(this.ctx, output) && !isToolCall(this.ctx);
		if (isOver) this.notStored = await histories?.store(this.withHistory);
		ctx.addExecutionHints(...this.hints());
		if (isOver) for (const { memory } of plans) memory.forget();
		return output;
	}

	/** The questions that tell what is new. */
	private get withHistory() {
		return this.plans.flatMap((plan) => {
			const { asked, memory, result } = plan;
			const { history: name, question } = asked;
			return name === undefined ? [] : [{ plan, name, query: question.query, memory, ...(result && { result }) }];
		});
	}

	private async beginHistories(): Promise<void> {
		const questions = this.withHistory;
		const [first] = questions;
		if (!first) return;
		const { ctx, client } = this;
		const { time } = client;
		const memory = await loadMemory({ ctx, time, tableName: first.plan.asked.memoryTable });
		this.histories = new ResearchHistories(memory, time.wallClock());
		for (const one of questions) {
			const history = this.histories.begin(one, questions);
			if (history === 'lost') one.plan.isLost = true;
			else one.plan.asked.question.history = history;
		}
	}

	private async plan(item: number): Promise<void> {
		try {
			const given = this.isCheck ? await readAskedText(this.ctx, item) : undefined;
			const now = readQuestion(this.ctx, this.fields, item, this.client.time.wallClock(), given?.text);
			const memory = new ResearchMemory(this.ctx, item, now, this.writing);
			const { asked } = memory;
			const calls = new WebCalls(this.client, asked, memory);
			this.plans.push({ item, asked, memory, calls, assumed: given?.assumed });
		} catch (error) {
			const { kind, message } = failureOrThrow(error);
			this.failures.push({ item, kind, message });
		}
	}

	private async answer(plan: Plan): Promise<void> {
		// An agent may ask for the same twice in one turn: the second call goes on with what the first has paid for.
		const inFlight = new InFlightStarts(researchStore(this.ctx));
		try {
			await inFlight.take([plan.memory.key], async () => await this.client.pauseOrStop());
			await this.answerInTurn(plan);
		} catch (error) {
			this.note(plan.item, error);
		} finally {
			inFlight.releaseAll();
		}
	}

	private async answerInTurn(plan: Plan): Promise<void> {
		const { item, asked, memory } = plan;
		const credits = this.shareOf(memory);
		this.waiting -= 1;
		if (this.signal.aborted) return;
		const { searchCredits, leastPageCredits } = asked.question;
		const least = this.isCheck ? leastPageCredits : searchCredits + leastPageCredits;
		if (credits !== undefined && credits < least && !memory.hasSteps) {
			throw refusedInput(
				`Max Credits (This Run) leaves ${count(credits, 'credit')} for this item, and ${this.isCheck ? 'a page' : 'a search with one page'} costs up to ${least}: raise it or send fewer items.`,
			);
		}
		if (memory.hasSteps) this.continued += 1;
		const before = memory.credits;
		const charge = { by: plan, item, items: 1, maxCredits: asked.maxCredits };
		this.account.send({ ...charge, sent: { credits: Math.max(0, (credits ?? before) - before) } });
		try {
			if (asked.check) {
				plan.checked = await this.check(plan, asked.check, credits);
				if (plan.assumed !== undefined) plan.checked.warnings.push(plan.assumed);
				tellOpen(plan.checked, memory);
				return;
			}
			plan.result = await this.research(plan, credits);
			tellOpen(plan.result, memory);
			const { lost, damaged } = this.histories?.memory ?? {};
			const why = plan.isLost ? lost : plan.result.news && damaged;
			if (why !== undefined) plan.result.warnings.push(why);
		} finally {
			this.account.settle(plan, memory.credits - before);
		}
	}

	/** The credits that this question may cost with all of its tries; undefined without a limit. */
	private shareOf(memory: ResearchMemory): number | undefined {
		const { remaining: left } = this.account;
		return left === undefined ? undefined : memory.credits + Math.floor(left / this.waiting);
	}

	private async research(plan: Plan, maxCredits: number | undefined): Promise<ResearchResult> {
		return await research(this.questionOf(plan, maxCredits), await this.partsFor(plan));
	}

	private async check(
		plan: Plan,
		{ text, searches }: NonNullable<AskedQuestion['check']>,
		maxCredits: number | undefined,
	): Promise<CheckedText> {
		const { checkText } = await import('../research/checkText');
		return await checkText(text, this.questionOf(plan, maxCredits), await this.partsFor(plan), { searches });
	}

	private questionOf({ asked }: Plan, maxCredits: number | undefined): ResearchQuestion {
		const atOnce = Math.min(QUESTIONS_AT_ONCE, this.plans.length);
		const concurrentModelCalls = Math.max(1, Math.floor(asked.question.concurrentModelCalls / atOnce));
		return { ...asked.question, maxCredits, concurrentModelCalls };
	}

	private async partsFor({ item, memory, calls }: Plan): Promise<ResearchParts> {
		const { ctx, client, ending, logModelWait: onModelWait } = this;
		return await partsOf({ ctx, client, item, memory, calls, ending: ending.signal, onModelWait });
	}

	/** Notes why a question has no result. Anything that nobody foresaw ends the run. */
	private note(item: number, error: unknown): void {
		if (this.signal.aborted) return;
		if (!(error instanceof ResearchFailure)) {
			const { kind, message, httpCode } = this.failureOrEnd(error);
			return this.fail(item, { kind, message, httpCode });
		}
		const { message, httpCode } = error;
		this.fail(item, { kind: error.kind === 'question' ? 'badInput' : 'job', message, httpCode });
	}

	private failureOrEnd(error: unknown) {
		try {
			return failureOrThrow(error);
		} catch {
			this.ending.abort();
			throw error;
		}
	}

	private fail(item: number, failure: Omit<ItemFailure, 'item'>): void {
		this.failures.push({ item, ...failure });
		if (!this.continues) this.ending.abort();
	}

	/** Without "continue on error" the first item that failed ends the run. */
	private throwFailure(): void {
		const [first] = this.failures.sort((left, right) => left.item - right.item);
		if (!this.continues && first) throw runError(this.ctx, first, []);
	}

	private hints() {
		const { plans, failures, continued, client, ctx } = this;
		const isCapped = plans.some(({ asked }) => asked.maxCredits !== undefined);
		const facts = {
			failed: failures.length,
			items: ctx.getInputData().length,
			throttledSeconds: client.throttled.seconds,
			continued,
			notCounted: isCapped ? (plans[0]?.asked.notCounted ?? []) : [],
			isAfterCrash: isAfterCrash(ctx) || plans.some(({ memory }) => memory.wasKilled),
			memory: this.histories?.memory,
			notStored: this.notStored,
			cutHistories: this.histories?.cut ?? 0,
			outdatedHistories: this.histories?.outdated ?? 0,
		};
		if (this.isCheck)
			return checkHints(
				plans.flatMap(({ checked }) => checked ?? []),
				facts,
			);
		return runHints(
			plans.flatMap(({ result }) => (result ? [result] : [])),
			facts,
		);
	}
}

/** Runs the node or the tool: one research for each item of its input. */
export async function runResearch(ctx: IExecuteFunctions, fields: INodeProperties[]): Promise<INodeExecutionData[][]> {
	const operation = ctx.getNodeParameter('operation', 0, '');
	return await runNode(ctx, async (connected) => {
		const isPriceOnly = wantsPrice(ctx, fields);
		const client = await connected();
		if (isPriceOnly) {
			const { tellResearchPrice } = await import('./researchPrice');
			return await tellResearchPrice(ctx, client, fields, operation === 'checkText');
		}
		if (operation !== 'fillColumns') return await new ResearchRun(ctx, client, fields, operation === 'checkText').run();
		const { RowsRun } = await import('./rows/rowsRun');
		return await new RowsRun(ctx, client, fields).run();
	});
}
