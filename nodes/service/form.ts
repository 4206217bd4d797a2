import { trimEnds } from '../text/ends';

/** A file to be sent. */
export interface FileToSend {
	/** ASCII only (see asciiName). */
	name: string;
	mimeType: string;
	/** Known before, so that the length of the whole is sent ahead. */
	bytes: number;
	/** The same for the same content of the same name: what is asked for is told apart by it. */
	identity: string;
	/** Its content from the beginning, again for each try. Rejects when it is not there. */
	open(): Promise<AsyncIterable<Uint8Array>>;
}

/** A request that is a form (multipart/form-data): a file, and the request's body beside it. */
export interface FileForm {
	file: FileToSend;
	/** Names of the parts. The body is JSON text, and is left out where there is none. */
	parts: { file: string; body: string };
}

/** The bytes before and after the file, and the header that announces them. */
interface Frame {
	contentType: string;
	before: Uint8Array;
	after: Uint8Array;
}

/**
 * The form around a file (RFC 7578). `boundary` must not occur in the file: 128 random bits do not.
 * The file's part has its media type, because without one HTML stays raw text (recording parse-02).
 */
export function frameOf({ file, parts }: FileForm, body: Record<string, unknown> | undefined, boundary: string): Frame {
	const before = [
		`--${boundary}`,
		`Content-Disposition: form-data; name="${parts.file}"; filename="${file.name}"`,
		`Content-Type: ${file.mimeType}`,
		'',
		'',
	];
	const disposition = `Content-Disposition: form-data; name="${parts.body}"`;
	const options = body ? [`--${boundary}`, disposition, '', JSON.stringify(body)] : [];
	const after = ['', ...options, `--${boundary}--`, ''];
	return {
		contentType: `multipart/form-data; boundary=${boundary}`,
		before: Buffer.from(before.join('\r\n')),
		after: Buffer.from(after.join('\r\n')),
	};
}

/** One try of sending a form: its pieces one after the other, none of them kept. */
export class FormBody {
	readonly contentType: string;

	/** Of the whole form. */
	readonly bytes: number;

	/** False as long as nobody can have the whole form, so that nothing can have been done with it. */
	isHandedOver = false;

	/** The reason why the file could not be read to its end; undefined when nothing is wrong with it. */
	trouble: string | undefined;

	readonly chunks: AsyncGenerator<Uint8Array>;

	constructor(
		private readonly frame: Frame,
		private readonly file: FileToSend,
	) {
		this.contentType = frame.contentType;
		this.bytes = frame.before.byteLength + file.bytes + frame.after.byteLength;
		this.chunks = this.read();
	}

	/** Lets go of the file, wherever reading it has come to. */
	close(): void {
		// Not waited for: a store that does not answer must not hold up what is done already.
		void this.chunks.return(undefined).catch(() => undefined);
	}

	private async *read(): AsyncGenerator<Uint8Array> {
		yield this.frame.before;
		try {
			yield* this.readFile();
		} catch (error) {
			throw this.noted(error);
		}
		this.isHandedOver = true;
		yield this.frame.after;
	}

	private noted(error: unknown): unknown {
		this.trouble ??= error instanceof Error ? error.message : 'unknown error';
		return error;
	}

	/** The length is announced: a file of another one would end the form in the wrong place. */
	private async *readFile(): AsyncGenerator<Uint8Array> {
		const { bytes } = this.file;
		let size = 0;
		for await (const chunk of await this.file.open()) {
			size += chunk.byteLength;
			if (size > bytes) break;
			yield chunk;
		}
		if (size !== bytes) {
			throw new Error(`its size is not ${bytes} bytes, as n8n says, but ${size > bytes ? 'more' : size}`);
		}
	}
}

const LONGEST_STEM = 100;

/** Letters that no decomposition turns into plain ones. */
const PLAIN: Readonly<Record<string, string>> = {
	æ: 'ae',
	Æ: 'AE',
	ð: 'd',
	Đ: 'D',
	đ: 'd',
	ı: 'i',
	ł: 'l',
	Ł: 'L',
	ø: 'o',
	Ø: 'O',
	œ: 'oe',
	Œ: 'OE',
	ß: 'ss',
	þ: 'th',
};

/**
 * The name of a file as it can stand in a form: ASCII letters, digits, spaces and `._-()`, since the
 * service reads names byte by byte and others come back garbled (recording parse-36). `extension` is
 * without a dot, and is added where the name does not end in it. Never empty, never more than about 110
 * characters.
 */
export function asciiName(name: string, extension: string): string {
	const bare = name.replace(/^.*[/\\]/s, '');
	const ending = `.${extension}`;
	const hasEnding = bare.toLowerCase().endsWith(ending.toLowerCase());
	const stem = hasEnding ? bare.slice(0, -ending.length) : bare;
	const ascii = stem
		.replace(/[^\0-\x7f]/g, (letter) => PLAIN[letter] ?? letter)
		.normalize('NFKD')
		.replace(/\p{Mark}/gu, '')
		.replace(/[^A-Za-z0-9 ._()-]+/gu, '_')
		.slice(0, LONGEST_STEM);
	const plain = trimEnds(ascii, /[ .]/);
	return `${/[A-Za-z0-9]/.test(plain) ? plain : 'file'}${ending.toLowerCase()}`;
}
