import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import type { Owner } from './client.ts';

const owner = z.object({ email: z.string(), password: z.string() });

/** The login of this data folder's n8n: made up at the first start and kept beside the data. */
export function ownerOf(dataFolder: string): Owner {
	const file = path.join(dataFolder, 'owner.json');
	if (!existsSync(file)) {
		mkdirSync(dataFolder, { recursive: true });
		// n8n asks for a capital letter and a digit.
		const made: Owner = {
			email: 'demo@example.com',
			password: `Demo-${randomBytes(5).toString('hex')}1`,
		};
		writeFileSync(file, JSON.stringify(made), { mode: 0o600 });
	}
	return owner.parse(JSON.parse(readFileSync(file, 'utf8')));
}
