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

/** The recorded server reads the bytes of a name one by one, so that other letters come back garbled (parse-36). */
function asReceived(name: string): string {
	return Buffer.from(name, 'utf8').toString('latin1');
}

/** The upload that the form holds, or why it is none (recordings parse-40 to parse-46, parse-58, parse-90). */
export async function readUpload(
	body: Buffer,
	contentType: string,
): Promise<{ upload: Upload } | { refused: string }> {
	if (!/boundary=/i.test(contentType)) return { refused: 'Multipart: Boundary not found' };
	let form: FormData;
	try {
		form = await new Response(new Uint8Array(body), {
			headers: { 'content-type': contentType },
		}).formData();
	} catch {
		return { refused: 'Unexpected end of form' };
	}
	const files = [...form].filter(([, value]) => typeof value !== 'string');
	if (files.length > 1 || files.some(([name]) => name !== 'file')) {
		return { refused: 'Unexpected field' };
	}
	const file = form.get('file');
	if (file === null || typeof file === 'string') return { refused: NO_FILE };
	const options = form.getAll('options');
	const [first] = options;
	if (options.length > 1) return { refused: "The 'options' field must be a JSON string." };
	if (file.size > MAX_BYTES) return { refused: 'Uploaded file exceeds maximum size of 50MB.' };
	return {
		upload: {
			name: asReceived(file.name),
			contentType: file.type,
			bytes: Buffer.from(await file.arrayBuffer()),
			options: typeof first === 'string' ? first : undefined,
		},
	};
}
