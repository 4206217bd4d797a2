import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { DataTables, ProcessedItems } from '../../tools/n8n-engine/index.ts';
import type { Execution } from '../../tools/n8n-engine/index.ts';
import { scraped, startPageService } from './pageService';
import type { PageJob, PageService } from './pageService';
import { crawlStart, NODE, retryNode, runNode } from './run';
import type { RunSettings, Stored } from './run';

const HOME = 'https://site.example/';

/** A site whose pages change, a service that crawls it, and an active workflow that asks for what is new. */
export class ChangedSite {
	/** Text by address: what the site shows. */
	pages = new Map(['a', 'b', 'c', 'd'].map((name) => [`${HOME}${name}`, `Text of ${name}`]));

	statusCodes = new Map<string, number>();

	/** What the service says of pages beside their text. */
	errorOf = new Map<string, string>();

	/** Where pages redirect to. */
	moved = new Map<string, string>();

	/** Pages that the job fails on. */
	errors: PageJob['errors'] = [];

	/** How jobs end. */
	state = 'completed';

	/** How many pages jobs say they have; default: as many. */
	completed: number | undefined;

	/** The Data Tables of n8n; undefined: their module is off. */
	tables: DataTables | undefined = new DataTables();

	/** What n8n has stored of the last run of the workflow. */
	staticData: IDataObject | undefined;

	processed = new ProcessedItems();

	private constructor(
		readonly service: PageService,
		/** Address without the name of a page. */
		readonly home: string,
	) {}

	static async open(parts: { sliceSize?: number } = {}): Promise<ChangedSite> {
		const opened: { site?: ChangedSite } = {};
		const service = await startPageService({
			...parts,
			job: ({ urls }) => opened.site?.job(urls) ?? {},
		});
		opened.site = new ChangedSite(service, HOME);
		return opened.site;
	}

	/** Sets the text of a page, by its name. */
	write(name: string, text: string): void {
		this.pages.set(`${HOME}${name}`, text);
	}

	move(name: string, to: string): void {
		this.moved.set(`${HOME}${name}`, `${HOME}${to}`);
	}

	remove(name: string): void {
		this.pages.delete(`${HOME}${name}`);
	}

	fail(...names: string[]): void {
		this.errors = names.map((name) => {
			return { url: `${HOME}${name}`, error: 'Timeout', code: 'SCRAPE_TIMEOUT' };
		});
	}

	/** A run of the active workflow: what n8n stores at its end is there for the next. */
	async run(parameters = changedCrawl(), more: RunSettings = {}): Promise<Execution> {
		const execution = await runNode(this.service, parameters, { mode: 'trigger', ...this.stores, ...more });
		this.staticData = execution.staticData ?? this.staticData;
		return execution;
	}

	/** n8n's Retry of a run of it. */
	async retry(failed: Stored, parameters = changedCrawl(), more: RunSettings = {}): Promise<Execution> {
		const execution = await retryNode(this.service, failed, parameters, { ...this.stores, ...more });
		this.staticData = execution.staticData ?? this.staticData;
		return execution;
	}

	/** All that n8n keeps from one execution to the next. */
	get stores(): Pick<RunSettings, 'processed' | 'staticData' | 'tables'> {
		const { processed, staticData, tables } = this;
		return { processed, ...(tables && { tables }), ...(staticData && { staticData }) };
	}

	/** What the node has left in its Data Table. */
	get remembered(): IDataObject {
		const [row] = this.tables?.rowsOf('web_data_memory') ?? [];
		return row ? (JSON.parse(String(row.value)) as IDataObject) : {};
	}

	/** `b changed` for each item of a run, by the last part of the address. */
	async told(parameters?: INodeParameters, more?: RunSettings): Promise<string[]> {
		return told(await this.run(parameters, more));
	}

	private job(urls: unknown): Partial<PageJob> {
		const asked = Array.isArray(urls) ? (urls as string[]) : [...this.pages.keys()];
		const failed = new Set(this.errors.map(({ url }) => url));
		const pages = asked.filter((url) => !failed.has(url)).map((url) => this.page(url));
		const { errors, state, completed } = this;
		return { pages, errors, state, ...(completed !== undefined && { completed }) };
	}

	private page(url: string) {
		const { metadata } = scraped(url);
		const statusCode = this.statusCodes.get(url) ?? 200;
		const ended = this.moved.get(url) ?? url;
		return {
			markdown: this.pages.get(ended) ?? this.pages.get(url),
			metadata: {
				...(metadata as IDataObject),
				title: 'A page of the site',
				url: ended,
				statusCode,
				...(this.errorOf.has(url) && { error: this.errorOf.get(url) }),
			},
		};
	}
}

/** A crawl of the site that asks for what is new. */
export const changedCrawl = (options: IDataObject = {}, more: INodeParameters = {}) =>
	crawlStart({ options: { onlyChanged: true, ...options }, ...more } as INodeParameters);

/** `b changed` for each item, by the last part of the address. */
export const told = (execution: Execution): string[] =>
	execution.items(NODE).map(({ json }) => `${String(json.url).slice(HOME.length)} ${String(json.change)}`);
