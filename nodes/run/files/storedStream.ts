import type { IBinaryData } from 'n8n-workflow';
import { ServiceFailure } from '../../service/http/failure';
import type { RunContext } from '../connection/runContext';

type Helpers = Pick<RunContext, 'helpers'>;
type StoredContent = Parameters<RunContext['helpers']['prepareBinaryData']>[0];

const MIB = 1024 * 1024;

/** Largest file where n8n takes it whole into memory; there it is base64 in the execution's data, too. */
const MAX_BYTES_IN_MEMORY = 64 * MIB;

/** The same as the largest file, for all files of a run: n8n writes them into its database as one text, of half a gigabyte at most. */
const MAX_BYTES_OF_RUN = 256 * MIB;

/** A file that is made while it is stored. */
interface FileStream {
	fileName: string;
	mimeType: string;
	/** Its content from the beginning. */
	pieces: AsyncIterable<Buffer>;
	/** The bytes that it will have in all, as far as that can be said by now. */
	estimate: () => number;
}

/**
 * Puts a file into n8n's binary data while it is made. Where n8n keeps such data on disk, no more than a
 * piece of it is in memory: n8n hands what it is given to `fs.writeFile`, which takes anything that can be
 * iterated (file-system.manager.js, n8n-core 1.123; fs-byte-store.js, blob-storage of 2.40). Elsewhere n8n
 * wants it whole.
 *
 * Throws a ServiceFailure: what the making threw, `tooLarge` as soon as it is seen that the file would not
 * fit where n8n has it in memory with the others of the run, `connection` when n8n cannot store it.
 */
export async function storeStream(ctx: Helpers, file: FileStream): Promise<IBinaryData> {
	const { fileName, mimeType } = file;
	const place = placeOf(ctx);
	const content = (await place.isOnDisk) ? file.pieces : await wholeOf(file, place);
	// n8n's type knows streams of Node only, which a community package cannot make.
	return await ctx.helpers
		.prepareBinaryData(content as unknown as StoredContent, fileName, mimeType)
		.catch((error: unknown) => {
			throw notStored(fileName, error);
		});
}

/** The store in which n8n keeps the files of a run. */
interface FileStore {
	/** Asked once for all of its files. */
	isOnDisk: Promise<boolean>;
	/** The bytes of them that are in memory. */
	bytesInMemory: number;
}

/** By what a run of a node has from n8n. */
const places = new WeakMap<Helpers, FileStore>();

function placeOf(ctx: Helpers): FileStore {
	const place = places.get(ctx) ?? { isOnDisk: askWhere(ctx), bytesInMemory: 0 };
	places.set(ctx, place);
	return place;
}

/** n8n shows where it keeps binary data only when it stores some. */
async function askWhere({ helpers }: Helpers): Promise<boolean> {
	const { data, id } = await helpers
		.prepareBinaryData(Buffer.alloc(0), 'empty.txt', 'text/plain')
		.catch((error: unknown) => {
			throw notStored('empty.txt', error);
		});
	return id !== undefined && data.startsWith('filesystem');
}

async function wholeOf({ fileName, pieces, estimate }: FileStream, place: FileStore): Promise<Buffer> {
	const kept: Buffer[] = [];
	let bytes = 0;
	let isWhole = false;
	try {
		for await (const piece of pieces) {
			bytes += piece.length;
			place.bytesInMemory += piece.length;
			const inAll = estimate();
			if (isTooLarge(bytes, inAll)) throw tooLarge(fileName, Math.max(bytes, inAll));
			if (place.bytesInMemory > MAX_BYTES_OF_RUN) throw tooMuch(fileName);
			kept.push(piece);
		}
		isWhole = true;
		return Buffer.concat(kept);
	} finally {
		if (!isWhole) place.bytesInMemory -= bytes;
	}
}

/**
 * An estimate counts the more, the more there is to estimate by: the first pages may be the large ones. After
 * 16 MB only one of more than 1,024 MB refuses the file, after 32 MB one of more than 256 MB.
 */
function isTooLarge(bytes: number, estimated: number): boolean {
	const share = bytes / MAX_BYTES_IN_MEMORY;
	return share > 1 || estimated * share ** 2 > MAX_BYTES_IN_MEMORY;
}

function notStored(fileName: string, error: unknown): ServiceFailure {
	if (error instanceof ServiceFailure) return error;
	const reason = error instanceof Error ? error.message.slice(0, 200) : 'unknown error';
	return new ServiceFailure({
		kind: 'connection',
		mayHaveExecuted: true,
		message: `n8n could not store the file ${fileName}: ${reason}`,
	});
}

function tooLarge(fileName: string, bytes: number): ServiceFailure {
	const size = Math.ceil(bytes / MIB);
	return refusedFile(
		`The file ${fileName} would have about ${size} MB. This n8n takes binary data into memory, where at most ${MAX_BYTES_IN_MEMORY / MIB} MB are stored in one file: read the job in parts with Get and its Limit`,
	);
}

function tooMuch(fileName: string): ServiceFailure {
	return refusedFile(
		`The files of this run would have, with the file ${fileName}, more than ${MAX_BYTES_OF_RUN / MIB} MB together, the most that is stored where n8n takes binary data into memory: read fewer jobs in one run`,
	);
}

function refusedFile(text: string): ServiceFailure {
	return new ServiceFailure({
		kind: 'tooLarge',
		mayHaveExecuted: true,
		message: `${text}, or let n8n keep binary data on disk (N8N_DEFAULT_BINARY_DATA_MODE=filesystem).`,
	});
}
