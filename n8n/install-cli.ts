/** Installs n8n ahead of time: `node n8n/install-cli.ts [version ...]`, all of them by default. */
import { installN8n } from './install.ts';
import { n8nVersions, readN8nVersion } from './project.ts';

try {
	const asked = process.argv.slice(2);
	for (const version of asked.length > 0 ? asked.map(readN8nVersion) : n8nVersions) {
		const { dir } = await installN8n(version);
		console.log(`n8n ${version}: ${dir}`);
	}
} catch (error) {
	console.error(error instanceof Error ? error.message : String(error));
	process.exitCode = 1;
}
