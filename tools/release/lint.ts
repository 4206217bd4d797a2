// Runs n8n's own linter, unchanged and in strict mode, on what n8n's reviewers lint: `npm run lint:n8n`.
import { spawnSync } from 'node:child_process';
import path from 'node:path';

import { copyReviewed } from './folders.ts';

const root = path.join(import.meta.dirname, '../..');
const reviewed = path.join(root, '.reviewed');
copyReviewed(root, reviewed);
const { status } = spawnSync('n8n-node', ['lint', ...process.argv.slice(2)], {
	cwd: reviewed,
	stdio: 'inherit',
});
process.exitCode = status ?? 1;
