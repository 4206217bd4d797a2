import { jsonAnswer, noZeroDataRetention, refusal } from '../../http/answer.ts';
import type { Answer } from '../../http/answer.ts';
import {
	EXTENSIONS,
	FORMATS,
	badForm,
	filePage,
	kindOf,
	parseRequestSchema,
	unsupportedOption,
	MAX_BYTES,
	NO_FORM,
	readUpload,
} from '../../parse/filePage.ts';
import type { Upload } from '../../parse/filePage.ts';
import { acceptBody, scrapeRefusal } from '../../requests/answerRequest.ts';
import type { Route } from '../../requests/routes.ts';
import { buildDocument } from '../../scrape/document/pageDocument.ts';
import { pageCredits } from '../../scrape/keptScrapes.ts';
import { notInCache, ScrapeFailure, unreachable } from '../../web/webClient.ts';
import type { ReadBody } from '../../http/requestChecks.ts';
import type { Service } from '../../service/service.ts';

const PATH = '/v2/parse';
/** The form around the file may be a little larger than the file. */
const BODY_LIMIT_BYTES = MAX_BYTES + 1024 * 1024;
const UNSUPPORTED_TYPE = `Unsupported upload type. Supported file extensions: ${EXTENSIONS.map((name) => `.${name}`).join(', ')}`;

/** The options beside the file (recordings parse-50 to parse-54). */
function optionsOf({ options = '{}' }: Upload): ReadBody {
	let value: unknown;
	try {
		value = JSON.parse(options);
	} catch {
		throw badForm("Invalid JSON in the 'options' field. Provide a valid JSON string.");
	}
	if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { malformed: false, value };
	throw badForm("The 'options' field must parse to a JSON object.");
}

async function parse(service: Service, body: unknown, contentType: string): Promise<Answer> {
	if (!Buffer.isBuffer(body)) throw badForm(NO_FORM);
	const upload = await readUpload(body, contentType);
	const { zeroDataRetention, ...request } = acceptBody(service, optionsOf(upload), parseRequestSchema);
	const unsupported = unsupportedOption(request);
	if (unsupported) return refusal(400, unsupported, { code: 'PARSE_UNSUPPORTED_OPTIONS' });
	if (zeroDataRetention) return noZeroDataRetention();
	const kind = kindOf(upload);
	if (!kind) return refusal(400, UNSUPPORTED_TYPE, { code: 'UNSUPPORTED_FILE_TYPE' });
	const scrapeId = service.newId();
	service.noteActivity('parse', scrapeId, upload.name);
	try {
		if (request.lockdown) throw notInCache('SCRAPE_LOCKDOWN_CACHE_MISS');
		const page = filePage(upload, kind);
		const built = await buildDocument(page, request).catch(() => {
			throw unreachable();
		});
		const credits = pageCredits(request, built.pdfPages);
		service.credits.charge(credits);
		service.statistics.countPages(1);
		const metadata = {
			...built.facts,
			scrapeId,
			sourceURL: upload.name,
			url: page.url,
			statusCode: 200,
			contentType: upload.contentType || page.contentType,
			proxyUsed: 'basic',
			creditsUsed: credits,
			concurrencyLimited: false,
		};
		const document = { ...built.document, metadata };
		// Inferred, not recorded: what is made of a file is kept as that of a page is.
		service.scrapes.keep(document);
		return jsonAnswer(200, { success: true, data: document });
	} catch (error) {
		const answer = scrapeRefusal(error);
		if (error instanceof ScrapeFailure) service.credits.charge(error.credits);
		// A miss is 500 here (recording parse-80).
		const isMiss = error instanceof ScrapeFailure && error.httpStatus === 404;
		return isMiss ? { ...answer, status: 500 } : answer;
	}
}

/** Uploaded files (count as scrape). The way by an upload address is not played. */
export const parseRoutes = (service: Service): Route[] => [
	{
		on: `POST ${PATH}`,
		step: 'parse',
		bucket: 'scrape',
		credits: 1,
		bodyLimit: BODY_LIMIT_BYTES,
		work: ({ request }) => parse(service, request.body, request.headers['content-type'] ?? ''),
	},
	{
		on: `GET ${PATH}/formats`,
		step: 'parseFormats',
		work: () => jsonAnswer(200, { success: true, data: { formats: FORMATS } }),
	},
];
