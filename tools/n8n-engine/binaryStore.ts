import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { IBinaryData } from 'n8n-workflow';

import { BinaryDataConfig, BinaryDataService, Container } from './n8n.ts';

/** n8n's store of binary data on disk. */
export interface BinaryStore {
	/** Puts a file there, as a node does that makes one. */
	store(content: Buffer | Readable, fileName: string, mimeType: string): Promise<IBinaryData>;
	/** The content of a file that is there. */
	read(file: IBinaryData): Promise<Readable>;
	/** Names of the files that are there, n8n's note of each included. */
	names(): Promise<string[]>;
	/** Deletes all that is in it, and lets n8n keep binary data in the items again. */
	end(): Promise<void>;
}

/**
 * Lets n8n-core of this process keep binary data on disk, in a folder of its own, as n8n does by default
 * since version 2 (binary-data.service.js, n8n-core 2.41).
 */
export async function binaryStoreOnDisk(): Promise<BinaryStore> {
	const folder = await mkdtemp(join(tmpdir(), 'n8n-binary-'));
	const config = Container.get(BinaryDataConfig);
	const service = Container.get(BinaryDataService);
	const modeBefore = config.mode;
	config.mode = 'filesystem';
	config.localStoragePath = folder;
	await service.init();
	return {
		async store(content, fileName, mimeType) {
			const place = { type: 'execution', workflowId: 'w', executionId: 'e' } as const;
			return await service.store(place, content, { fileName, mimeType, data: '' });
		},
		read: async ({ id = '' }) => await service.getAsStream(id),
		async names() {
			const all = await readdir(folder, { recursive: true, withFileTypes: true });
			return all.filter((one) => one.isFile()).map(({ name }) => name);
		},
		async end() {
			config.mode = modeBefore;
			await service.init();
			await rm(folder, { recursive: true, force: true });
		},
	};
}
