import type { INodeExecutionData } from 'n8n-workflow';
import { example, schema } from '../../fields/formats';
import { isLinkedScreenshot, isUnreadPdf, lackingFormats } from '../../operation/askedFormats';
import type { AskedFormats } from '../../operation/askedFormats';
import type { ItemDraft } from '../../operation/operation';
import { addressOfPage, faultOfPage, httpErrorOf } from '../../operation/webPage';
import { isJsonObject } from '../../service/http/answer';
import { asSentence, firstSentence } from '../../service/http/failure';
import type { JsonObject } from '../../service/http/transport';
import { readWarnings } from '../../service/results/pageErrors';
import type { PageError } from '../../service/results/pageErrors';
import { schemaOfExample } from '../input/schemaOfExample';
import type { Notes } from './notes';

const REASON_LENGTH = 160;
const ADDRESS_LENGTH = 120;

/** `asked` is what was asked for of the page, where that is known. */
export function notePage(notes: Notes, page: JsonObject, asked?: AskedFormats): void {
	const status = httpErrorOf(page);
	if (status === 404) notes.add('notFoundPages');
	else if (status !== undefined) notes.add('httpErrors', { name: String(status) });
	const message = status === undefined ? faultOfPage(page) : undefined;
	if (message !== undefined) {
		notes.add('faultyPages', { name: () => pageErrorText({ url: addressOfPage(page), code: '', message }) });
	}
	if (asked && message === undefined) noteFormats(notes, page, asked);
	notes.addRemarks(page);
}

/** Notes the formats that were asked for of a page and did not come. */
function noteFormats(notes: Notes, page: JsonObject, asked: AskedFormats): void {
	if (isUnreadPdf(page, asked)) notes.add('unreadPdfs');
	if (isLinkedScreenshot(page, asked)) notes.add('linkedScreenshots');
	const formats = lackingFormats(page, asked);
	for (const name of formats) notes.add('lackingFormats', { detail: name === 'markdown' ? 'text' : name });
	if (asked.redacts && formats.includes('markdown')) notes.add('emptiedText');
}

/** Pages that a job has no result for; `errors` is undefined where the list could not be read. */
export function noteFailures(notes: Notes, errors: PageError[] | undefined): void {
	if (!errors) notes.add('uncheckedJobs');
	for (const error of errors ?? []) {
		const { url, cause } = error;
		if (cause === 'robots') notes.add('robotsPages', { name: () => shortAddress(url) });
		else if (cause === 'pathRule') notes.add('ruledOutPages', { name: () => pageErrorText({ ...error, code: '' }) });
		else if (cause === 'cancelled') notes.add('cancelledPages');
		else notes.add('failedPages', { name: () => pageErrorText(error) });
	}
}

/** Notes what an item lacks, the addresses it stands for besides its own, and what is known of its values. */
export function noteDraft(notes: Notes, { lacking = [], merged = [], checked = [] }: ItemDraft): void {
	for (const one of checked) notes.values.add(one);
	for (const name of merged) notes.add('mergedAddresses', { name });
	for (const name of lacking) notes.add('lackingFiles', { name });
}

/** Files that could not be fetched: the items name them. */
export function noteOutput(notes: Notes, items: readonly INodeExecutionData[]): void {
	for (const { json } of items) {
		const { filesNotStored } = json;
		if (Array.isArray(filesNotStored)) notes.add('filesNotStored', { amount: filesNotStored.length });
	}
}

/** Notes what is returned of a job that did not end well, or has not ended. */
export function notePartial(notes: Notes, label: string, id: string, state: string, counts: JsonObject = {}): void {
	const { completed, total } = counts;
	const isCounted = typeof completed === 'number' && typeof total === 'number';
	const far = isCounted ? `, ${completed} of ${total} pages` : '';
	notes.add('partial', { name: `the ${label} ${id} is "${state}"${far}` });
}

/** Says that there is nothing, and what the service remarks to that. */
export function nothingText(what: string, answer: JsonObject): string {
	const remarks = readWarnings(answer).map(asSentence).join(' ');
	return `There are no ${what}.${remarks === '' ? '' : ` The service says: ${remarks}`}`;
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

const SAMPLES = [
	JSON.stringify(schemaOfExample(JSON.parse(String(example.default)))),
	JSON.stringify(JSON.parse(String(schema.default))),
];

/**
 * The remark about a request with the structure that the panel shows first, since nobody wants just those fields;
 * undefined for any other.
 */
export function sampleText(sent: JsonObject): string | undefined {
	const { scrapeOptions, schema: ofWholeJob } = sent;
	const options = isJsonObject(scrapeOptions) ? scrapeOptions : sent;
	const formats = Array.isArray(options.formats) ? options.formats : [];
	const isInFormat = formats.filter(isJsonObject).some((format) => format.type === 'json' && isSample(format.schema));
	if (!isInFormat && !isSample(ofWholeJob)) return undefined;
	const what = isInFormat ? 'The JSON format' : 'The structure';
	return `${what} still has the fields of the sample in the panel: replace it by an example or a schema of your own.`;
}

function isSample(wanted: unknown): boolean {
	return isJsonObject(wanted) && SAMPLES.includes(JSON.stringify(wanted));
}
