/** Pictures and prints that answers link to. */
export interface StoredFiles {
	/** Keeps the file and returns its name. */
	keep(id: string, file: StoredFile): string;
	find(name: string): StoredFile | undefined;
	clear(): void;
}

export interface StoredFile {
	contentType: string;
	bytes: Buffer;
}

/** Where stored files are served; no part of the service's contract. */
export const FILES_PATH = '/_sandbox/files';

const MAX_FILES = 200;
const ENDINGS: Readonly<Record<string, string>> = {
	'image/png': 'png',
	'image/jpeg': 'jpg',
	'application/pdf': 'pdf',
};

/**
 * See `StoredFiles`. Holds the latest so many; the service itself keeps them for 24 h
 * (docs/service-notes.md#lifetimes).
 */
export function storedFiles(): StoredFiles {
	const files = new Map<string, StoredFile>();
	return {
		keep(id, file) {
			const name = `${id}.${ENDINGS[file.contentType] ?? 'bin'}`;
			files.set(name, file);
			for (const oldest of files.keys()) {
				if (files.size <= MAX_FILES) break;
				files.delete(oldest);
			}
			return name;
		},
		find: (name) => files.get(name),
		clear: () => files.clear(),
	};
}

/** The type of a picture by its first bytes. */
export function pictureType(bytes: Buffer): string {
	return bytes[0] === 0xff && bytes[1] === 0xd8 ? 'image/jpeg' : 'image/png';
}
