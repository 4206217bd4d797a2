import type { INodeExecutionData, NodeExecutionHint } from 'n8n-workflow';
import { isJsonObject } from '../../../service/http/answer';
import { asSentence, firstSentence } from '../../../service/http/failure';
import type { JsonObject } from '../../../service/http/transport';
import { readWarnings } from '../../../service/results/pageErrors';
import type { PageError } from '../../../service/results/pageErrors';
import { example, schema } from '../../fields/formats';
import { isUnreadPdf, lackingFormats } from '../../operation/askedFormats';
import type { AskedFormats } from '../../operation/askedFormats';
import { addressOfPage, faultOfPage, httpErrorOf } from '../../operation/webPage';
import type { ItemDraft } from '../../operation/operation';
import { schemaOfExample } from '../input/schemaOfExample';
import { Named, count, hint } from './hints';

/** Largest number of plain sentences in the hints. */
const MAX_TEXTS = 3;
const MAX_WARNINGS = 10;
const REASON_LENGTH = 160;
const ADDRESS_LENGTH = 120;

/** What is returned of a job that did not end well, or has not ended. */
interface PartialJob {
	/** `crawl` */
	label: string;
	id: string;
	state: string;
	completed?: unknown;
	total?: unknown;
}

/**
 * What a run comes upon that is no error but that a person should be told: counted as it happens, so that
 * it does not grow with the pages.
 */
export class RunNotes {
	/** By what they say: a start and its checks remark the same of two routes (recording extract-02). */
	private readonly warnings = new Map<string, string>();

	private readonly texts = new Set<string>();

	private readonly httpErrors = new Map<number, number>();

	private readonly failed = new Named();

	/** Pages that came with an error beside, or in place of, their content. */
	private readonly faulty = new Named();

	private readonly denied = new Named();

	private readonly ruledOut = new Named();

	private cutOffPages = 0;

	private readonly partial = new Named();

	private readonly empty = new Named();

	private readonly leftOut = new Named();

	private readonly brokenOff = new Named();

	/** Pages without a kind of file that was wanted. */
	private readonly lacking = new Map<string, number>();

	private readonly formats = new FormatNotes();

	private filesNotStored = 0;

	private missingPages = 0;

	private unreadJobs = 0;

	/** `errorsWith` names the operation that lists the pages a job failed on: `Crawl · Get Errors`. */
	constructor(private readonly errorsWith = '') {}

	/** Adds a sentence as it is, once; undefined adds nothing. */
	noteText(text: string | undefined): void {
		if (text !== undefined) this.texts.add(text);
	}

	/** Adds a remark of the service once, however often it comes. */
	noteAnswer(body: JsonObject): void {
		for (const text of readWarnings(body)) {
			const said = text.replace(/\/:\w+/g, '');
			if (!this.warnings.has(said)) this.warnings.set(said, text);
		}
	}

	/** `asked` is what was asked for of it, where that is known. */
	notePage(page: JsonObject, asked?: AskedFormats): void {
		if (asked) this.formats.notePage(page, asked);
		const status = httpErrorOf(page);
		if (status !== undefined) this.httpErrors.set(status, (this.httpErrors.get(status) ?? 0) + 1);
		const message = status === undefined ? faultOfPage(page) : undefined;
		if (message !== undefined) {
			this.faulty.add(() => pageErrorText({ url: addressOfPage(page), code: '', message }));
		}
		if (this.warnings.size < MAX_WARNINGS) this.noteAnswer(page);
	}

	/** Pages that a job has no result for; `errors` is undefined where the list could not be had. */
	noteFailures(errors: PageError[] | undefined): void {
		if (!errors) this.unreadJobs += 1;
		for (const error of errors ?? []) {
			if (error.cause === 'robots') this.denied.add(() => shortAddress(error.url));
			else if (error.cause === 'pathRule') this.ruledOut.add(() => pageErrorText({ ...error, code: '' }));
			else if (error.cause === 'cancelled') this.cutOffPages += 1;
			else this.failed.add(() => pageErrorText(error));
		}
	}

	/** Pages that the service counts but did not hand over, nor named as failed. */
	noteMissing(pages: number): void {
		this.missingPages += pages;
	}

	/** What an item lacks that was wanted of it. */
	noteDraft({ lacking = [] }: ItemDraft): void {
		for (const kind of lacking) this.lacking.set(kind, (this.lacking.get(kind) ?? 0) + 1);
	}

	/** Files that could not be fetched: the items name them. */
	noteOutput(items: readonly INodeExecutionData[]): void {
		for (const { json } of items) {
			const { filesNotStored } = json;
			if (Array.isArray(filesNotStored)) this.filesNotStored += filesNotStored.length;
		}
	}

	/** A job whose list of pages ended although the service had named more of it: `crawl 0c5f…`. */
	noteBrokenOff(job: string): void {
		this.brokenOff.add(() => job);
	}

	notePartial({ label, id, state, completed, total }: PartialJob): void {
		const isCounted = typeof completed === 'number' && typeof total === 'number';
		const far = isCounted ? `, ${completed} of ${count(total, 'page')}` : '';
		this.partial.add(() => `the ${label} ${id} is "${state}"${far}`);
	}

	/** `what` names the thing of which nothing was found: `links for https://example.com`. */
	noteEmpty(what: string): void {
		this.empty.add(() => what);
	}

	/** A file that the service cannot read, so that it was not sent. */
	noteLeftOut(fileName: string): void {
		this.leftOut.add(() => fileName);
	}

	hints(): NodeExecutionHint[] {
		const { errorsWith, cutOffPages, missingPages, unreadJobs } = this;
		const byStatus = [...this.httpErrors].sort(([left], [right]) => left - right);
		const answered = byStatus.reduce((sum, [, pages]) => sum + pages, 0);
		const lacking = [...this.lacking].map(([kind, pages]) => `${kind} (${pages})`);
		const texts = [
			this.empty.size > 0 ? `Nothing was found: no ${this.empty.text('; no ')}.` : '',
			this.leftOut.size > 0
				? `${count(this.leftOut.size, 'file')} left out, because the service reads no such kind: ${this.leftOut.text()}.`
				: '',
			...[...this.texts].slice(0, MAX_TEXTS),
			this.partial.size > 0 ? `What is put out is not complete: ${this.partial.text()}.` : '',
			answered > 0 ? `${count(answered, 'page')} answered with ${statusText(byStatus)}.` : '',
			this.faulty.size > 0 ? `${count(this.faulty.size, 'page')} came with an error: ${this.faulty.text()}.` : '',
			this.failed.size > 0
				? `${count(this.failed.size, 'page')} failed: ${this.failed.text()}. ${errorsWith} lists them.`
				: '',
			this.denied.size > 0
				? `${count(this.denied.size, 'page')} left out, because the robots.txt of the site forbids ${this.denied.size === 1 ? 'it' : 'them'}: ${this.denied.text()}.`
				: '',
			this.ruledOut.size > 0
				? `${count(this.ruledOut.size, 'page')} left out by a rule of the crawl: ${this.ruledOut.text()}.`
				: '',
			cutOffPages > 0
				? `${count(cutOffPages, 'page')} ${cutOffPages === 1 ? 'was' : 'were'} not scraped, because the job was cancelled.`
				: '',
			missingPages > 0
				? `${count(missingPages, 'page')} that the service counts did not come with the others: ${errorsWith} with the job ID may tell why.`
				: '',
			this.brokenOff.size > 0
				? `Pages may be missing: the service named more of them and then gave none, of ${this.brokenOff.text()}.`
				: '',
			lacking.length > 0
				? `Pages without what Store as Files asks for: ${lacking.join(', ')}. The service gave none for them.`
				: '',
			...this.formats.texts(),
			this.filesNotStored > 0
				? `${count(this.filesNotStored, 'file')} could not be stored: filesNotStored in the items says why.`
				: '',
			unreadJobs > 0
				? `Whether pages of ${count(unreadJobs, 'job')} failed could not be asked: ${errorsWith} with the job ID tells.`
				: '',
			this.warnings.size > 0 ? `The service says: ${[...this.warnings.values()].map(asSentence).join(' ')}` : '',
		];
		return texts.filter((text) => text !== '').map((text) => hint(text, 'warning'));
	}
}

/** Says that there is nothing, and what the service remarks to that. */
export function nothingText(what: string, answer: JsonObject): string {
	const remarks = readWarnings(answer).map(asSentence).join(' ');
	return `There are no ${what}.${remarks === '' ? '' : ` The service says: ${remarks}`}`;
}

/** Each status once: `HTTP error 404`, `an HTTP error: 404 (2), 500 (1)`. */
function statusText(byStatus: Array<[status: number, pages: number]>): string {
	const [only, ...others] = byStatus;
	if (only && others.length === 0) return `HTTP error ${only[0]}`;
	return `an HTTP error: ${byStatus.map(([status, pages]) => `${status} (${pages})`).join(', ')}`;
}

/** `https://example.com/a: The page took too long (SCRAPE_TIMEOUT)` */
export function pageErrorText({ url, code, message }: Pick<PageError, 'url' | 'code' | 'message'>): string {
	const reason = firstSentence(message, REASON_LENGTH);
	const where = url === '' ? '' : `${shortAddress(url)}: `;
	return `${where}${reason}${code === '' || message.includes(code) ? '' : ` (${code})`}`;
}

function shortAddress(url: string): string {
	return url.length > ADDRESS_LENGTH ? `${url.slice(0, ADDRESS_LENGTH)}…` : url;
}

/** What was asked for of pages and did not come, counted by format. */
class FormatNotes {
	private readonly lacking = new Map<string, number>();

	private unreadPdfs = 0;

	/** Pages without text of which personal data was to be redacted. */
	private emptied = 0;

	notePage(page: JsonObject, asked: AskedFormats): void {
		if (isUnreadPdf(page, asked)) this.unreadPdfs += 1;
		const formats = lackingFormats(page, asked);
		for (const format of formats) this.lacking.set(format, (this.lacking.get(format) ?? 0) + 1);
		if (asked.redacts && formats.includes('markdown')) this.emptied += 1;
	}

	/** Sentences, each once for a run. */
	texts(): string[] {
		const lacking = [...this.lacking].map(([format, pages]) => `${format} (missing in ${pages})`);
		const texts: string[] = [];
		if (lacking.length > 0) {
			const why =
				this.emptied > 0
					? ' A server without the service for Redact Personal Data gives empty text, which is paid for.'
					: '';
			texts.push(`The service did not give all that was asked for: ${lacking.join(', ')}.${why}`);
		}
		if (this.unreadPdfs > 0) {
			texts.push(
				`${count(this.unreadPdfs, 'PDF file')} came without Markdown, because Store as Files with PDF Files keeps them unread: to get their text, scrape them without it.`,
			);
		}
		return texts;
	}
}

const SAMPLES = [
	JSON.stringify(schemaOfExample(JSON.parse(String(example.default)))),
	JSON.stringify(JSON.parse(String(schema.default))),
];

/** Told where a structure was sent as the panel shows it first: nobody wants just those fields. */
const ofFormat =
	'The JSON format still asks for the fields of the sample in the panel: put an example or a schema of your own in its place.';
const ofJob =
	'The structure still has the fields of the sample in the panel: put an example or a schema of your own in its place.';

/** What to say of a request that asks for the fields of the sample; undefined for any other. */
export function sampleText(sent: JsonObject): string | undefined {
	const { scrapeOptions, schema: ofWholeJob } = sent;
	const options = isJsonObject(scrapeOptions) ? scrapeOptions : sent;
	const formats = Array.isArray(options.formats) ? options.formats : [];
	const isInFormat = formats.filter(isJsonObject).some((format) => format.type === 'json' && isSample(format.schema));
	if (isInFormat) return ofFormat;
	return isSample(ofWholeJob) ? ofJob : undefined;
}

function isSample(wanted: unknown): boolean {
	return isJsonObject(wanted) && SAMPLES.includes(JSON.stringify(wanted));
}
