import type { IExecuteFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';
import { ResearchFailure } from '../../research/contract/result';
import type { ResearchParts, RowParts, ScrapedPage } from '../../research/contract/parts';
import type { ResearchQuestion } from '../../research/contract/question';
import { rowCredits } from '../../research/credits';
import { emptyRow, fillRow, sharedCalls } from '../../research/fillRow';
import type { FilledRow } from '../../research/fillRow';
import type { KnownRow } from '../../research/row/cellHistory';
import { isRetryComing, keepsFailedItems } from '../../run/input/readFields';
import { isAfterCrash } from '../../run/ledger/crash';
import type { CreditAccount } from '../../run/ledger/creditAccount';
import { Writing } from '../../run/ledger/writing';
import { loadMemory } from '../../run/memory/memory';
import { runError } from '../../run/output/itemError';
import type { ItemFailure } from '../../run/output/itemError';
import { mapConcurrently } from '../../run/output/outputItem';
import { PagesOnce } from '../../run/pages/pagesOnce';
import type { ServiceClient } from '../../service/client';
import { failureOrThrow, refusedInput } from '../../service/http/failure';
import { sameAddress } from '../../text/addresses';
import { readQuestion } from '../askedQuestion';
import type { AskedQuestion } from '../askedQuestion';
import type { AskedRow } from './askedRow';
import { WebCalls, connectedModels } from '../researchCalls';
import { ResearchMemory } from '../researchMemory';
import { modelWaitLog, partsOf, questionAccount, stopError, tellOpen } from '../researchParts';
import { RowHistories } from './rowHistory';
import { rowHints, rowOutput } from './rowOutput';

/** One row, and what became of it. */
interface RowPlan {
	item: number;
	asked: AskedQuestion;
	row: AskedRow;
	memory: ResearchMemory;
	calls: WebCalls;
	filled?: FilledRow;
	/** What it is compared with; undefined: with nothing. */
	known?: KnownRow | 'none';
}

/** For each call of the models that may run, so many rows: while one is read, others are searched and scraped. */
const ROWS_OF_CALL = 2;
const MOST_ROWS = 20;

/** So many rows that fail one after the other, without one that does not, are no trouble of theirs. */
const ENOUGH_FAILURES = 3;

/** With less time, no row is begun. */
const LEAST_TIME_MS = 5000;

/** Fills the rows of all items, side by side. The trouble of a row is that row's: the others go on. */
export class RowsRun {
	private readonly plans: RowPlan[] = [];

	/** Items whose parameters are refused, and rows that failed. */
	private readonly failures: ItemFailure[] = [];

	private readonly account: CreditAccount;

	private readonly writing: Writing;

	private readonly logModelWait: NonNullable<ResearchParts['onModelWait']>;

	private readonly pages = new PagesOnce<ScrapedPage>(({ markdown }) => markdown.length);

	private shareCalls: ReturnType<typeof sharedCalls> = (ask) => ask;

	/** Where only what has changed is returned. */
	private histories: RowHistories | undefined;

	/** Why nothing was stored. */
	private notStored: string | undefined;

	/** Why no further row is begun. */
	private ended: string | undefined;

	/** Rows that failed since the last one that did not. */
	private failedInARow = 0;

	private running = 0;

	/** Rows that wait for credits that others may give back. */
	private readonly waiting: Array<() => void> = [];

	private continued = 0;

	/** Pages that another row had paid for. */
	private shared = 0;

	private readonly beganMs: number;

	constructor(
		private readonly ctx: IExecuteFunctions,
		private readonly client: ServiceClient,
		private readonly fields: INodeProperties[],
	) {
		this.writing = new Writing(ctx, client.baseUrl);
		this.logModelWait = modelWaitLog(ctx, client);
		this.beganMs = client.time.now();
		this.account = questionAccount(ctx);
	}

	async run(): Promise<INodeExecutionData[]> {
		try {
			return await this.carryOut();
		} finally {
			this.account.release();
		}
	}

	private async carryOut(): Promise<INodeExecutionData[]> {
		const { ctx, client, plans, failures } = this;
		for (const item of ctx.getInputData().keys()) this.plan(item);
		this.refuseOtherColumns();
		const [first] = plans;
		if (!first) throw this.failureOfAll();
		await this.beginHistories(first);
		this.account.admit(
			[],
			plans.map(({ asked }) => asked.maxCredits),
		);
		await this.askForModel(first.item);
		const calls = first.asked.question.concurrentModelCalls;
		this.shareCalls = sharedCalls(calls);
		await mapConcurrently(Math.min(MOST_ROWS, ROWS_OF_CALL * calls), plans, async (plan) => await this.fill(plan));
		if (client.stopped) throw stopError(ctx, 'The rows', plans);
		const isAnyDone = plans.some(({ filled }) => filled && ['complete', 'partial', 'empty'].includes(filled.status));
		if (!isAnyDone && failures.length > 0 && !keepsFailedItems(ctx)) throw this.failureOfAll();
		const rows = plans.flatMap(({ item, asked: { output }, row, filled }) =>
			filled ? [{ item, output, asked: row, filled }] : [],
		);
		// What was refused before anything was sent is a row, too.
		const refused = failures.filter(({ item }) => !rows.some((row) => row.item === item));
		for (const { item, message } of refused) {
			const filled = emptyRow({ ...first.row.row, columns: first.row.columns }, 'failed', message);
			rows.push({ item, output: first.asked.output, asked: { ...first.row, kept: {} }, filled });
		}
		const output = await rowOutput(ctx, client, rows);
		if (!isRetryComing(ctx, output)) this.notStored = await this.storeHistories();
		ctx.addExecutionHints(...this.hints(rows));
		for (const { memory } of plans) memory.forget();
		return output;
	}

	private plan(item: number): void {
		try {
			const now = readQuestion(this.ctx, this.fields, item, this.client.time.wallClock());
			const memory = new ResearchMemory(this.ctx, item, now, this.writing);
			const { asked } = memory;
			if (!asked.row) throw refusedInput('The operation cannot differ between items.');
			this.plans.push({ item, asked, row: asked.row, memory, calls: new WebCalls(this.client, asked, memory) });
		} catch (error) {
			const { kind, message } = failureOrThrow(error);
			this.failures.push({ item, kind, message });
		}
	}

	private async beginHistories({ asked }: RowPlan): Promise<void> {
		if (asked.history === undefined) return;
		const { ctx, client, plans } = this;
		const memory = await loadMemory({ ctx, time: client.time, tableName: asked.memoryTable });
		this.histories = new RowHistories(memory, client.time.wallClock());
		for (const plan of plans) {
			const known = this.histories.begin({ name: plan.asked.history ?? '', row: plan.row.row, memory: plan.memory });
			// Where nobody knows, the row is compared with nothing, and all of it is told.
			if (known !== 'lost') plan.known = known;
		}
	}

	private async storeHistories(): Promise<string | undefined> {
		const told = this.plans.flatMap(({ asked, row, filled }) =>
			filled?.news ? [{ name: asked.history ?? '', row: row.row, history: filled.news.history }] : [],
		);
		return await this.histories?.store(told);
	}

	/** A table has the same columns in each of its rows: else nothing is sent. */
	private refuseOtherColumns(): void {
		const [first] = this.plans;
		const columnsOf = ({ row }: RowPlan) => JSON.stringify(row.columns);
		const other = this.plans.find((plan) => first && columnsOf(plan) !== columnsOf(first));
		if (!other) return;
		const message =
			'"Columns" must be the same for all items, since all rows are of one table: use no expression that differs by item.';
		throw runError(this.ctx, { item: other.item, kind: 'badInput', message }, []);
	}

	/** Without a model no row is begun. */
	private async askForModel(item: number): Promise<void> {
		await connectedModels(this.ctx, item).catch((error: unknown) => {
			if (!(error instanceof ResearchFailure)) throw error;
			throw runError(this.ctx, { item, kind: 'job', message: error.message }, []);
		});
	}

	private failureOfAll() {
		const [first] = this.failures.sort((left, right) => left.item - right.item);
		return runError(this.ctx, first ?? { item: 0, kind: 'badInput', message: 'There is no item.' }, []);
	}

	/** Fills one row, unless there is nothing to do, or what ends all rows has come before. */
	private async fill(plan: RowPlan): Promise<void> {
		const { row, memory } = plan;
		const { result } = memory;
		if (row.row.columns.length === 0) {
			plan.filled = { ...emptyRow(row.row, 'skipped', ''), status: 'complete' };
			return;
		}
		if (row.row.subject === '') {
			plan.filled = emptyRow(row.row, 'skipped', 'no subject');
			return;
		}
		if (result && Array.isArray(result.cells)) {
			plan.filled = result as unknown as FilledRow;
			this.continued += 1;
			return;
		}
		let credits = this.creditsFor(plan);
		// Nothing may come between what is seen to be there and the row that takes it.
		while (credits === 0 && this.running > 0) {
			await new Promise<void>((resolve) => this.waiting.push(resolve));
			credits = this.creditsFor(plan);
		}
		const why = this.client.stopped ? 'stopped' : this.whyNot(plan, credits);
		if (why !== undefined) {
			plan.filled = emptyRow(row.row, 'notStarted', why);
			return;
		}
		this.running += 1;
		try {
			await this.fillNow(plan, credits);
			this.failedInARow = 0;
		} catch (error) {
			this.note(plan, error);
		} finally {
			this.running -= 1;
			for (const resume of this.waiting.splice(0)) resume();
		}
	}

	private async fillNow(plan: RowPlan, maxCredits: number | undefined): Promise<void> {
		const { item, asked, row, memory } = plan;
		if (memory.hasSteps) this.continued += 1;
		const before = memory.credits;
		const charge = { by: plan, item, items: 1, maxCredits: asked.maxCredits };
		this.account.send({ ...charge, sent: { credits: Math.max(0, (maxCredits ?? before) - before) } });
		try {
			const question = this.questionOf(plan, maxCredits);
			const filled = await fillRow(row.row, question, await this.partsFor(plan), plan.known);
			if (row.warning !== undefined) filled.warnings.push(row.warning);
			tellOpen(filled, memory);
			plan.filled = filled;
			if (filled.status === 'failed') this.failures.push({ item, kind: 'job', message: filled.why ?? '' });
			else memory.keepResult(filled);
		} finally {
			this.account.settle(plan, memory.credits - before);
		}
	}

	private questionOf({ asked, row }: RowPlan, maxCredits: number | undefined): ResearchQuestion {
		const { question } = asked;
		const left = this.timeLeft(row);
		return { ...question, maxCredits, timeLimitMs: Math.min(question.timeLimitMs, left ?? question.timeLimitMs) };
	}

	private async partsFor({ item, asked, memory, calls }: RowPlan): Promise<RowParts> {
		const { ctx, client, logModelWait: onModelWait } = this;
		// No row ends the others.
		const ending = new AbortController().signal;
		const parts = await partsOf({ ctx, client, item, memory, calls, ending, onModelWait });
		const settings = JSON.stringify(asked.page);
		return {
			...parts,
			ask: this.shareCalls(parts.ask),
			scrape: async (url, mostCredits, isKnown) => {
				const ask = async () => await parts.scrape(url, mostCredits, isKnown);
				// Of a PDF file, fewer pages are read where fewer credits are left; a page that is known must be fetched.
				const name = `${sameAddress(url)} ${mostCredits} ${isKnown} ${settings}`;
				const { page, isShared } = await this.pages.get(name, ask);
				if (!isShared) return page;
				this.shared += 1;
				return { ...page, creditsUsed: 0 };
			},
		};
	}

	/**
	 * The credits that a row may cost with all of its tries, of one purse for all rows; undefined without a cap. Too few for
	 * a search and its pages: 0.
	 */
	private creditsFor({ asked, row, memory }: RowPlan): number | undefined {
		const { least, most } = rowCredits(asked.question, row.row);
		const { remaining } = this.account;
		if (remaining === undefined) return undefined;
		return remaining >= least || memory.hasSteps ? memory.credits + Math.min(remaining, most) : 0;
	}

	/** Why a row is not begun; undefined where it may be. */
	private whyNot({ asked, row }: RowPlan, credits: number | undefined): string | undefined {
		if (this.ended !== undefined) return this.ended;
		const left = this.timeLeft(row);
		if (left !== undefined && left < LEAST_TIME_MS) {
			return `Time Limit for All Rows (${(row.timeLimitAllMs ?? 0) / 1000} s) reached`;
		}
		if (credits !== 0) return undefined;
		return `Max Credits (This Run) (${asked.maxCredits ?? 0}) leaves too few for a search and its pages`;
	}

	private timeLeft({ timeLimitAllMs }: AskedRow): number | undefined {
		return timeLimitAllMs === undefined ? undefined : this.beganMs + timeLimitAllMs - this.client.time.now();
	}

	/** Notes why a row has no result. What concerns all rows lets no further one begin; what nobody foresaw ends the run. */
	private note(plan: RowPlan, error: unknown): void {
		if (this.client.stopped) return;
		const { kind, message, httpCode } =
			error instanceof ResearchFailure
				? { kind: 'job' as const, message: error.message, httpCode: error.httpCode }
				: failureOrThrow(error);
		plan.filled = { ...emptyRow(plan.row.row, 'failed', message), usage: this.usageOf(plan) };
		this.failures.push({ item: plan.item, kind, message, httpCode });
		this.failedInARow += 1;
		const isOfAll = kind === 'quotaExceeded' || [401, 402, 403].includes(httpCode ?? 0);
		if (isOfAll || this.failedInARow >= ENOUGH_FAILURES) this.ended ??= message;
	}

	/** What a row has cost that failed. */
	private usageOf({ memory }: RowPlan): FilledRow['usage'] {
		const { credits } = memory.open;
		const none = { modelCalls: 0, inputTokens: 0, outputTokens: 0, seconds: 0 };
		return { ...none, creditsUsed: memory.credits - credits, creditsInDoubt: credits };
	}

	private hints(rows: ReadonlyArray<{ filled: FilledRow; asked: AskedRow }>) {
		const { plans, failures, continued, client, ctx, shared } = this;
		const [first] = plans;
		const isCapped = first?.asked.maxCredits !== undefined;
		return rowHints(rows, {
			failed: failures.length,
			items: ctx.getInputData().length,
			throttledSeconds: client.throttled.seconds,
			continued,
			notCounted: isCapped ? first.asked.notCounted : [],
			isAfterCrash: isAfterCrash(ctx) || plans.some(({ memory }) => memory.wasKilled),
			shared,
			memory: this.histories?.memory,
			notStored: this.notStored,
			forgottenRows: this.histories?.forgotten ?? 0,
		});
	}
}
