import { NodeConnectionTypes } from 'n8n-workflow';
import type { IExecuteFunctions } from 'n8n-workflow';
import { callOperation } from '../WebData/askedOperation';
import { mapPrice } from '../cost/prices';
import { ResearchFailure } from '../research/contract/result';
import type { ModelAnswer, ModelRequest, ScrapedPage, SearchAnswer, SearchResult } from '../research/contract/parts';
import type { ServiceClient } from '../service/client';
import { isJsonObject } from '../service/http/answer';
import { wellFormed } from '../service/http/answerBody';
import { ServiceFailure } from '../service/http/failure';
import type { JsonObject } from '../service/http/transport';
import { withoutDataUris } from '../text/dataUris';
import { textOf } from '../text/values';
import { pageFor } from './askedQuestion';
import type { AskedQuestion } from './askedQuestion';
import type { ResearchMemory } from './researchMemory';

/** The credits that are counted for a page where the service names none. */
const PAGE_CREDITS = 1;

/** Links of a site that are asked for. */
const MAP_LINKS = 500;

const MAP = mapPrice({});

/**
 * Searches and pages of one question, by the operations of Web Data. Each counts what it has cost, also where its
 * answer was lost: then as the most that it may have cost.
 */
export class WebCalls {
	/** The searches and the pages that this try has paid for. */
	searches = 0;

	pages = 0;

	constructor(
		private readonly client: ServiceClient,
		private readonly asked: AskedQuestion,
		private readonly memory: ResearchMemory,
	) {}

	async search(query: string): Promise<SearchAnswer> {
		const { search, question } = this.asked;
		const parameters = { ...search, query };
		const list = await this.pay(`search ${query}`, question.searchCredits, (memory) =>
			callOperation(this.client, { resource: 'search', operation: 'search', parameters }, memory),
		);
		this.searches += 1;
		const results = Array.isArray(list.results) ? list.results : [];
		return {
			results: results.filter(isJsonObject).flatMap(readResult),
			creditsUsed: this.paid(list, question.searchCredits),
		};
	}

	/**
	 * Pays at most so many credits: of a PDF file, fewer pages are read where fewer credits are left. A page that is
	 * compared with an earlier visit is fetched, unless the user allows a cached copy.
	 */
	async scrape(url: string, mostCredits: number, isKnown: boolean): Promise<ScrapedPage> {
		const page = pageFor(this.asked, mostCredits);
		const scrapeOptions = isJsonObject(page.scrapeOptions) ? page.scrapeOptions : {};
		const parameters = { ...page, url, scrapeOptions: { ...(isKnown && { maxAge: 0 }), ...scrapeOptions } };
		const scraped = await this.pay(`page ${url}`, mostCredits, (memory) =>
			callOperation(this.client, { resource: 'page', operation: 'scrape', parameters }, memory),
		);
		this.pages += 1;
		return { ...readPage(scraped, url), creditsUsed: this.paid(scraped, PAGE_CREDITS) };
	}

	/** The pages of a site, those first that have these words. */
	async mapSite(url: string, words: string): Promise<SearchAnswer> {
		const parameters = { url, maxLinks: MAP_LINKS, output: 'list', options: { search: words } };
		const list = await this.pay(`site ${url}`, MAP.credits, (memory) =>
			callOperation(this.client, { resource: 'map', operation: 'map', parameters }, memory),
		);
		const links = Array.isArray(list.links) ? list.links : [];
		return { results: links.filter(isJsonObject).flatMap(readResult), creditsUsed: this.paid(list, MAP.credits) };
	}

	async readBack(id: string, url: string): Promise<ScrapedPage> {
		const parameters = { scrapeId: id };
		const page = await callOperation(this.client, { resource: 'page', operation: 'get', parameters });
		return { ...readPage(page, url), creditsUsed: 0 };
	}

	/** A request that was sent may have been paid for, unless the service refused it. */
	private async pay(
		name: string,
		mostCredits: number,
		call: (memory: JsonObject) => Promise<JsonObject>,
	): Promise<JsonObject> {
		const { memory } = this;
		const answer = await call(memory.openCall(name, mostCredits)).catch((error: unknown) => {
			const isRefused = error instanceof ServiceFailure && (error.httpCode !== undefined || !error.mayHaveExecuted);
			if (isRefused) memory.closeCall(name);
			throw error;
		});
		memory.closeCall(name);
		return answer;
	}

	private paid({ creditsUsed }: JsonObject, otherwise: number): number {
		const credits = typeof creditsUsed === 'number' ? creditsUsed : otherwise;
		this.memory.pay(credits);
		return credits;
	}
}

function readResult({ url, title, description, date }: JsonObject): SearchResult[] {
	if (typeof url !== 'string' || url === '') return [];
	const day = textOf(date);
	return [{ url, title: textOf(title), description: textOf(description), ...(day !== '' && { date: day }) }];
}

/** A page that its site answered with an error has no text of its own. */
function readPage(page: JsonObject, asked: string): Omit<ScrapedPage, 'creditsUsed'> {
	const { scrapeId, url, title, description, markdown, statusCode, metadata } = page;
	const publishedAt = dateOf(isJsonObject(metadata) ? metadata : {});
	const isError = typeof statusCode === 'number' && statusCode >= 400;
	return {
		id: textOf(scrapeId),
		url: textOf(url) || asked,
		title: textOf(title),
		description: textOf(description),
		markdown: isError ? '' : withoutDataUris(textOf(markdown)),
		...(publishedAt !== undefined && { publishedAt }),
		...(isError && { statusCode }),
		...(isPart(metadata) && { isPart: true as const }),
	};
}

/** Whether a PDF file has more pages than were read. */
function isPart(metadata: unknown): boolean {
	const { numPages, totalPages } = isJsonObject(metadata) ? metadata : {};
	return typeof numPages === 'number' && typeof totalPages === 'number' && totalPages > numPages;
}

/** When a page was changed last, or published, as it says itself: ISO 8601; undefined where it says nothing. */
function dateOf({ modifiedTime, publishedTime }: JsonObject): string | undefined {
	const [date] = [modifiedTime, publishedTime].filter((one) => !Number.isNaN(Date.parse(textOf(one))));
	return date === undefined ? undefined : new Date(textOf(date)).toISOString();
}

/** The part of n8n's chat models that is used here: they are LangChain's, and take plain messages. */
interface ChatModel {
	invoke(
		messages: ReadonlyArray<{ role: 'system' | 'user'; content: string }>,
		options: { signal: AbortSignal },
	): Promise<unknown>;
}

/** Calls the model of a role once. Throws what the model's client throws. */
type AskModel = (request: ModelRequest) => Promise<ModelAnswer>;

function isChatModel(value: unknown): value is ChatModel {
	return isJsonObject(value) && typeof value.invoke === 'function';
}

/**
 * The models that are connected to the node (docs/reference/n8n-internals.md#chat-models). With one, that plans, writes and
 * reads.
 * Throws a ResearchFailure where there is none, and what n8n throws for a model that is not set up.
 */
export async function connectedModels(ctx: IExecuteFunctions, item: number): Promise<AskModel> {
	const given: unknown = await ctx.getInputConnectionData(NodeConnectionTypes.AiLanguageModel, item);
	const models = [given].flat().filter(isChatModel);
	const main = models.at(-1);
	const reading = models[0];
	if (!main || !reading) {
		throw new ResearchFailure('model', 'No chat model is connected: connect one to Chat Model.');
	}
	return async ({ role, system, user, signal }) => {
		const model = role === 'reading' ? reading : main;
		const messages = [
			// A cut of a page may end with half a character, which strict servers refuse.
			{ role: 'system', content: wellFormed(system) },
			{ role: 'user', content: wellFormed(user) },
		] as const;
		return readAnswer(await model.invoke(messages, { signal }));
	};
}

/** The answer as far as it is one; the content is whatever the model gave. */
function readAnswer(answer: unknown): ModelAnswer {
	if (!isJsonObject(answer)) return { content: answer };
	const usage = isJsonObject(answer.usage_metadata) ? answer.usage_metadata : {};
	return {
		content: answer.content,
		inputTokens: tokensIn(usage.input_tokens),
		outputTokens: tokensIn(usage.output_tokens),
	};
}

/** A model that counts nothing says 0. */
function tokensIn(value: unknown): number | undefined {
	return typeof value === 'number' && value > 0 ? value : undefined;
}
