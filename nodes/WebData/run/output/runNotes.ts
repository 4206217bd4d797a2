import type { NodeExecutionHint } from 'n8n-workflow';

import { firstSentence } from '../../../service/http/shortText';
import type { JsonObject } from '../../../service/http/transport';
import type { PageError } from '../../../service/results/pageErrors';
import { readWarnings } from '../../../service/results/warnings';
import { httpErrorOf } from '../../operation/webPage';
import { count, hint } from './hintText';

/** Most of each kind that a hint names; the rest is counted. */
const MOST_NAMED = 3;
const MOST_WARNINGS = 10;
const REASON_LENGTH = 160;
const ADDRESS_LENGTH = 120;

/** What is put out of a job that did not end well, or has not ended. */
export interface PartialJob {
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
	/** By what they say: a start and its looks remark the same of two routes (recording extract-02). */
	private readonly warnings = new Map<string, string>();

	private readonly texts = new Set<string>();

	private readonly httpErrors = new Map<number, number>();

	private readonly failed = new Named();

	private readonly denied = new Named();

	private readonly partial = new Named();

	private readonly empty = new Named();

	private readonly leftOut = new Named();

	private missingPages = 0;

	private unreadJobs = 0;

	/** `errorsWith` names the operation that lists the pages a job failed on: `Crawl · Get Errors`. */
	constructor(private readonly errorsWith = '') {}

	/** Something that is told as it is, once. */
	noteText(text: string): void {
		this.texts.add(text);
	}

	/** What the service remarks in an answer is told once, however often it comes. */
	noteAnswer(body: JsonObject): void {
		for (const text of readWarnings(body)) {
			const said = text.replace(/\/:\w+/g, '');
			if (!this.warnings.has(said)) this.warnings.set(said, text);
		}
	}

	notePage(page: JsonObject): void {
		const status = httpErrorOf(page);
		if (status !== undefined) this.httpErrors.set(status, (this.httpErrors.get(status) ?? 0) + 1);
		if (this.warnings.size < MOST_WARNINGS) this.noteAnswer(page);
	}

	/** Pages that a job has no result for; `errors` is undefined where the list could not be had. */
	noteFailures(errors: PageError[] | undefined): void {
		if (!errors) this.unreadJobs += 1;
		for (const error of errors ?? []) {
			if (error.cause === 'robots') this.denied.add(() => shortAddress(error.url));
			else this.failed.add(() => pageErrorText(error));
		}
	}

	/** Pages that the service counts but did not hand over, nor named as failed. */
	noteMissing(pages: number): void {
		this.missingPages += pages;
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
		const { errorsWith, missingPages, unreadJobs } = this;
		const byStatus = [...this.httpErrors].sort(([left], [right]) => left - right);
		const answered = byStatus.reduce((sum, [, pages]) => sum + pages, 0);
		const texts = [
			this.empty.size > 0 ? `Nothing was found: no ${this.empty.text('; no ')}.` : '',
			this.leftOut.size > 0
				? `${count(this.leftOut.size, 'file')} left out, because the service reads no such kind: ${this.leftOut.text()}.`
				: '',
			...[...this.texts].slice(0, MOST_NAMED),
			this.partial.size > 0 ? `What is put out is not complete: ${this.partial.text()}.` : '',
			answered > 0
				? `${count(answered, 'page')} answered with an HTTP error: ${byStatus.map(([status, pages]) => `${status} (${pages})`).join(', ')}.`
				: '',
			this.failed.size > 0
				? `${count(this.failed.size, 'page')} failed: ${this.failed.text()}. ${errorsWith} lists them.`
				: '',
			this.denied.size > 0
				? `${count(this.denied.size, 'page')} left out, because the robots.txt of the site forbids ${this.denied.size === 1 ? 'it' : 'them'}: ${this.denied.text()}.`
				: '',
			missingPages > 0
				? `${count(missingPages, 'page')} that the service counts did not come with the others: ${errorsWith} with the job ID may tell why.`
				: '',
			unreadJobs > 0
				? `Whether pages of ${count(unreadJobs, 'job')} failed could not be asked: ${errorsWith} with the job ID tells.`
				: '',
			this.warnings.size > 0
				? `The service says: ${[...this.warnings.values()].map(closed).join(' ')}`
				: '',
		];
		return texts.filter((text) => text !== '').map((text) => hint(text, 'warning'));
	}
}

/** Says that there is nothing, and what the service remarks to that. */
export function nothingText(what: string, answer: JsonObject): string {
	const remarks = readWarnings(answer).map(closed).join(' ');
	return `There are no ${what}.${remarks === '' ? '' : ` The service says: ${remarks}`}`;
}

/** Things of which the first are named and all are counted. */
class Named {
	size = 0;

	private readonly first: string[] = [];

	add(name: () => string): void {
		this.size += 1;
		if (this.first.length < MOST_NAMED) this.first.push(name());
	}

	text(between = '; '): string {
		const more = this.size - this.first.length;
		return this.first.join(between) + (more > 0 ? `; and ${more} more` : '');
	}
}

/** `https://example.com/a: The page took too long (SCRAPE_TIMEOUT)` */
export function pageErrorText({ url, code, message }: PageError): string {
	const reason = firstSentence(message, REASON_LENGTH);
	const where = url === '' ? '' : `${shortAddress(url)}: `;
	return `${where}${reason}${code === '' || message.includes(code) ? '' : ` (${code})`}`;
}

function shortAddress(url: string): string {
	return url.length > ADDRESS_LENGTH ? `${url.slice(0, ADDRESS_LENGTH)}…` : url;
}

function closed(text: string): string {
	return /[.!?…]$/.test(text) ? text : `${text}.`;
}
