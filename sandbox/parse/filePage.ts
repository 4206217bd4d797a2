import { z } from 'zod/v4';
import { Refused, refusal } from '../http/answer.ts';
import { callerFields } from '../http/bodySchema.ts';
import { scrapeFields } from '../scrape/options/scrapeOptions.ts';
import { unreachable } from '../web/webClient.ts';
import type { FetchedPage } from '../web/webClient.ts';

/** The options of an upload: those of a page but its address (shape parseOptions; recordings parse-55 to parse-85). */
export const parseRequestSchema = z
	.object({
		...scrapeFields,
		...callerFields,
		zeroDataRetention: z.boolean().optional(),
	})
	.strict()
	.refine(
		({ formats }) => !formats.some(({ type }) => type === 'rawBase64'),
		'The rawBase64 format is not supported for parse uploads',
	);

type ParseRequest = z.output<typeof parseRequestSchema>;

/** What an upload cannot be asked for, in the words of the refusal (recordings parse-60 to parse-67). */
export function unsupportedOption(request: ParseRequest): string | undefined {
	const has = (name: string): boolean => request.formats.some(({ type }) => type === name);
	if (request.actions?.length) return 'Parse uploads do not support actions.';
	if (has('screenshot')) return 'Parse uploads do not support screenshot output.';
	if (has('branding')) return 'Parse uploads do not support branding output.';
	if (has('changeTracking')) return 'Parse uploads do not support change tracking.';
	if (request.waitFor > 0) return 'Parse uploads do not support waitFor.';
	if (request.location) return 'Parse uploads do not support location overrides.';
	if (request.mobile) return 'Parse uploads do not support mobile rendering.';
	return request.proxy === 'auto' || request.proxy === 'basic'
		? undefined
		: 'Parse uploads only support proxy values of auto or basic.';
}

/** A file as it came in a form, with the options beside it. */
export interface Upload {
	name: string;
	contentType: string;
	bytes: Buffer;
	/** The text of the field `options`; undefined where there is none. */
	options: string | undefined;
}

export const MAX_BYTES = 50 * 1024 * 1024;

const MISSING_FILE = 'Missing file upload. Send multipart/form-data with a';

/** What no form at all is told (recordings parse-43 to parse-45). */
export const NO_FORM = `${MISSING_FILE} 'file' field, or JSON with an 'uploadRef'.`;
const NO_FILE = `${MISSING_FILE} 'file' field and optional 'options' JSON string.`;

/** The refusal of a form. */
export const badForm = (error: string) => new Refused(refusal(400, error, { code: 'BAD_REQUEST' }));

/** The recorded server reads the bytes of a name one by one, so that other letters come back garbled (parse-36). */
function asReceived(name: string): string {
	return Buffer.from(name, 'utf8').toString('latin1');
}

/** The upload that the form holds, which is refused where it is none (recordings parse-40 to parse-46, parse-58, parse-90). */
export async function readUpload(body: Buffer, contentType: string): Promise<Upload> {
	if (!/boundary=/i.test(contentType)) throw badForm('Multipart: Boundary not found');
	let form: FormData;
	try {
		form = await new Response(new Uint8Array(body), {
			headers: { 'content-type': contentType },
		}).formData();
	} catch {
		throw badForm('Unexpected end of form');
	}
	const files = [...form].filter(([, value]) => typeof value !== 'string');
	if (files.length > 1 || files.some(([name]) => name !== 'file')) {
		throw badForm('Unexpected field');
	}
	const file = form.get('file');
	if (file === null || typeof file === 'string') throw badForm(NO_FILE);
	const options = form.getAll('options');
	const [first] = options;
	if (options.length > 1) throw badForm("The 'options' field must be a JSON string.");
	if (file.size > MAX_BYTES) throw badForm('Uploaded file exceeds maximum size of 50MB.');
	return {
		name: asReceived(file.name),
		contentType: file.type,
		bytes: Buffer.from(await file.arrayBuffer()),
		options: typeof first === 'string' ? first : undefined,
	};
}

/** Where the recorded server pretends that uploads lie; relative links lead there. */
const UPLOADS = 'https://parse.firecrawl.dev/uploads/';

/** What can be read (recording parse-24). */
export const EXTENSIONS =
	'html htm xhtml pdf docx doc docm odt ods odp rtf xlsx xls xlsm xlsb pptx ppt pptm epub csv'.split(' ');

/** What the list of the service says of kinds of files; images are not read here. No recordings: docs/reference/service-notes.md#kinds-of-files. */
export const FORMATS = [
	{ format: 'pdf', kind: 'document', extensions: ['.pdf'], mimeTypes: ['application/pdf'], available: true },
	{ format: 'csv', kind: 'document', extensions: ['.csv'], mimeTypes: ['text/csv'], available: true },
	{ format: 'png', kind: 'image', extensions: ['.png'], mimeTypes: ['image/png'], available: false },
];

/** `other`: the service reads it, the sandbox does not. */
type Kind = 'html' | 'text' | 'pdf' | 'csv' | 'other';

function kindOfType(type: string): Kind | undefined {
	if (/html/i.test(type)) return 'html';
	if (/\bpdf\b/i.test(type)) return 'pdf';
	if (/\bcsv\b/i.test(type)) return 'csv';
	return /officedocument|opendocument|\brtf\b|ms-excel|msword|powerpoint|epub/i.test(type) ? 'other' : undefined;
}

function kindOfExtension(extension: string): Kind | undefined {
	if (!EXTENSIONS.includes(extension)) return undefined;
	if (/html?$/.test(extension)) return 'html';
	return extension === 'pdf' || extension === 'csv' ? extension : 'other';
}

/** What kind of file it is, by its type or else its name; undefined for what cannot be read (recordings parse-24 to parse-30). */
export function kindOf({ name, contentType }: Upload): Kind | undefined {
	const extension = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
	const kind = kindOfType(contentType) ?? kindOfExtension(extension);
	// A part without a type counts as plain text, and HTML then stays what it is (recording parse-02).
	return kind === 'html' && /^(text\/plain\b.*)?$/i.test(contentType) ? 'text' : kind;
}

function csvTable(text: string): string {
	const rows = text
		.split(/\r?\n/)
		.filter((line) => line !== '')
		.map((line) => `| ${line.split(',').join(' | ')} |`);
	const columns = text.split(/\r?\n/, 1)[0]?.split(',').length ?? 0;
	const rule = `| ${Array.from({ length: columns }, () => '---').join(' | ')} |`;
	return [rows[0] ?? '', rule, ...rows.slice(1), ''].join('\n');
}

/**
 * The file as a page, to be made into formats like any other. Rejects with a ScrapeFailure for one that is empty
 * (recordings parse-16, parse-23, parse-33).
 */
export function filePage({ name, bytes }: Upload, kind: Kind): FetchedPage {
	if (bytes.length === 0) throw unreachable();
	const page = { url: UPLOADS + encodeURIComponent(name), status: 200 };
	if (kind === 'html') return { ...page, contentType: 'text/html', bytes };
	if (kind === 'pdf') return { ...page, contentType: 'application/pdf', bytes };
	const text = kind === 'csv' ? csvTable(bytes.toString('utf8')) : `The sandbox does not read files such as ${name}.`;
	return { ...page, contentType: 'text/plain', bytes: kind === 'text' ? bytes : Buffer.from(text) };
}
