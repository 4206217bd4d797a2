import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * The folder that n8n-core takes for the user's folder in this process. n8n-core 2.41 creates it and
 * writes a settings file there when the first node asks for its instance settings
 * (instance-settings.js), by default in the user's home.
 *
 * This file must be imported before n8n-core: n8n reads its settings from the environment once.
 */
const userFolder = join(tmpdir(), `n8n-engine-${randomUUID()}`);

process.env.N8N_USER_FOLDER = userFolder;
// Binary data stays in the items (base64), nothing goes to disk. See binary.ts.
process.env.N8N_DEFAULT_BINARY_DATA_MODE = 'default';
// n8n-core logs every failed node to the console. Here the caller gets the error itself.
process.env.N8N_LOG_LEVEL ??= 'silent';

/**
 * Removes the folder. n8n-core reads the settings once and keeps them in memory, so this is safe after
 * the first execution. A test process that is killed never ends by itself.
 */
export function removeUserFolder(): void {
	rmSync(userFolder, { recursive: true, force: true });
}

process.once('exit', removeUserFolder);
