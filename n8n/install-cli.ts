/** Installs n8n ahead of time, line beside line: `node n8n/install-cli.ts [version ...]`, all of them by default. */
import { installN8n } from './install.ts';
import { n8nVersions, readN8nVersion } from './project.ts';

try {
	const asked = process.argv.slice(2);
	const versions = asked.length > 0 ? asked.map(readN8nVersion) : n8nVersions;
	// Side by side: each waits for the registry and the disk about as long as for a processor.
	await Promise.all(
		versions.map(async (version) => {
			const { dir } = await installN8n(version, (line) => console.log(`n8n ${version}: ${line}`));
			console.log(`n8n ${version}: ${dir}`);
		}),
	);
} catch (error) {
	console.error(error instanceof Error ? error.message : String(error));
	process.exitCode = 1;
}
