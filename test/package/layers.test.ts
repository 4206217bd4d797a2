import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const ROOT = join(__dirname, '../..');

/** Every import between the project's own files, as paths from the root. */
function imports(folder: string): Array<{ from: string; to: string }> {
	return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith('.ts'))
		.flatMap((file) => {
			const from = join(folder, file);
			const source = readFileSync(join(ROOT, from), 'utf8');
			return [...source.matchAll(/from '(\.[^']+)'/g)].map(([, to]) => ({
				from,
				to: relative(ROOT, join(ROOT, dirname(from), to ?? '')),
			}));
		});
}

/** `nodes/WebData/resources/crawl/…` → `crawl`. */
const resourceOf = (path: string) => /^nodes\/WebData\/resources\/([^/]+)\//.exec(path)?.[1];

it('the client of the service knows nothing of nodes, resources or n8n', () => {
	const service = imports('nodes/service');
	expect(service.length).toBeGreaterThan(0);
	expect(service.filter(({ to }) => !to.startsWith('nodes/service/'))).toEqual([]);
	for (const { from } of service) {
		expect(readFileSync(join(ROOT, from), 'utf8')).not.toContain("'n8n-workflow'");
	}
});

it('resources do not know how they are run, nor each other', () => {
	const resources = imports('nodes/WebData/resources');
	expect(resources.filter(({ to }) => to.startsWith('nodes/WebData/run'))).toEqual([]);
	const across = resources.filter(({ from, to }) => {
		const [own, other] = [resourceOf(from), resourceOf(to)];
		return own !== undefined && other !== undefined && own !== other;
	});
	expect(across).toEqual([]);
});

it('the sandbox shares no code with what it tests', () => {
	expect(imports('sandbox').filter(({ to }) => !to.startsWith('sandbox/'))).toEqual([]);
	expect(imports('nodes').filter(({ to }) => !to.startsWith('nodes/'))).toEqual([]);
});
