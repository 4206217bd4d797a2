import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

const ROOT = resolve(__dirname, '../..');
const CHECKED = ['nodes', 'credentials', 'sandbox', 'engine', 'n8n', 'demo', 'test'];
const MAX_FILES_IN_A_ROOM = 12;

interface Report {
	modules: Array<{ source: string }>;
	summary: {
		violations: Array<{ from: string; to: string; rule: { name: string } }>;
		ruleSetUsed: { forbidden: Array<{ name: string }> };
	};
}

/** What dependency-cruiser finds in these folders below `cwd`, by the rules of the project. */
function cruise(cwd: string, folders: string[]): Report {
	const cli = join(ROOT, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs');
	const rules = ['--config', join(ROOT, '.dependency-cruiser.cjs'), '--output-type', 'json'];
	try {
		const output = execFileSync(process.execPath, [cli, ...folders, ...rules], {
			cwd,
			encoding: 'utf8',
			maxBuffer: 1e8,
			stdio: ['ignore', 'pipe', 'pipe'],
		});
		return JSON.parse(output) as Report;
	} catch (error) {
		// Violations are an exit code; the report is there all the same.
		const { stdout } = error as { stdout?: string };
		if (!stdout) throw error;
		return JSON.parse(stdout) as Report;
	}
}

/** For each rule, an import that breaks it: the file, and what it imports. */
const BROKEN: Record<string, [from: string, to: string]> = {
	'no-circle': ['engine/a.ts', 'engine/b.ts'],
	'no-circle-of-rooms': ['sandbox/crawl', 'sandbox/map'],
	'no-missing-file': ['n8n/a.ts', './gone.ts'],
	'package-alone': ['nodes/WebData/fields/job/a.ts', 'node:fs'],
	'service-alone': ['nodes/service/http/b.ts', 'nodes/WebData/operation/operation.ts'],
	'text-alone': ['nodes/text/a.ts', 'nodes/service/http/answer.ts'],
	'research-alone': ['nodes/research/report/a.ts', 'nodes/service/http/transport.ts'],
	'research-1': ['nodes/research/contract/a.ts', 'nodes/research/model/a.ts'],
	'research-2': ['nodes/research/model/b.ts', 'nodes/research/claims/a.ts'],
	'research-3': ['nodes/research/claims/b.ts', 'nodes/research/report/a.ts'],
	'research-4': ['nodes/research/report/b.ts', 'nodes/research/research.ts'],
	'sandbox-alone': ['sandbox/text/a.ts', 'nodes/service/http/answer.ts'],
	'resources-apart': ['nodes/WebData/resources/map/a.ts', 'nodes/WebData/resources/crawl/a.ts'],
	'service-1': ['nodes/service/form/a.ts', 'nodes/service/http/transport.ts'],
	'service-2': ['nodes/service/http/a.ts', 'nodes/service/limits/client.ts'],
	'service-3': ['nodes/service/limits/a.ts', 'nodes/service/jobs/ledger.ts'],
	'service-4': ['nodes/service/jobs/a.ts', 'nodes/service/startRecovery/recoverStart.ts'],
	'service-5': ['nodes/service/startRecovery/a.ts', 'nodes/service/sessions/openSession.ts'],
	'service-6': ['nodes/service/sessions/a.ts', 'nodes/service/results/slices.ts'],
	'node-1': ['nodes/WebData/fields/basic/a.ts', 'nodes/WebData/fields/job/wait.ts'],
	'node-2': ['nodes/WebData/fields/job/b.ts', 'nodes/WebData/operation/operation.ts'],
	'node-3': ['nodes/WebData/cost/a.ts', 'nodes/WebData/operation/operation.ts'],
	'node-4': ['nodes/WebData/operation/a.ts', 'nodes/WebData/resources/index.ts'],
	'node-5': ['nodes/WebData/panel/a.ts', 'nodes/WebData/resources/index.ts'],
	'node-6': ['nodes/WebData/resources/index.ts', 'nodes/WebData/run/execute.ts'],
	'node-7': ['nodes/WebData/run/a.ts', 'nodes/WebData/WebData.node.ts'],
	'run-1': ['nodes/WebData/run/input/a.ts', 'nodes/WebData/run/memory/a.ts'],
	'run-2': ['nodes/WebData/run/memory/a.ts', 'nodes/WebData/run/jobs/a.ts'],
	'run-3': ['nodes/WebData/run/jobs/a.ts', 'nodes/WebData/run/pages/a.ts'],
	'run-4': ['nodes/WebData/run/outcomes/a.ts', 'nodes/WebData/run/pages/b.ts'],
	'run-5': ['nodes/WebData/run/pages/a.ts', 'nodes/WebData/run/execute.ts'],
	'sandbox-1': ['sandbox/web/a.ts', 'sandbox/crawl/a.ts'],
	'sandbox-2': ['sandbox/map/b.ts', 'sandbox/service/service.ts'],
	'sandbox-3': ['sandbox/service/a.ts', 'sandbox/requests/a.ts'],
	'sandbox-4': ['sandbox/requests/b.ts', 'sandbox/routes/resources.ts'],
	'sandbox-5': ['sandbox/routes/a.ts', 'sandbox/server.ts'],
	'doors-research': ['nodes/WebResearch/a.ts', 'nodes/research/report/c.ts'],
	'doors-service': ['nodes/WebData/run/b.ts', 'nodes/service/http/refusal.ts'],
	'doors-resources': ['nodes/WebData/run/c.ts', 'nodes/WebData/resources/crawl/a.ts'],
	'doors-run': ['nodes/WebData/WebData.node.ts', 'nodes/WebData/run/jobs/b.ts'],
	'triggers-above': ['nodes/WebData/run/d.ts', 'nodes/WebDataTrigger/receive/a.ts'],
	'poll-trigger-1': ['nodes/WebDataPollTrigger/marks/a.ts', 'nodes/WebDataPollTrigger/events/a.ts'],
	'poll-trigger-2': ['nodes/WebDataPollTrigger/jobs/a.ts', 'nodes/WebDataPollTrigger/events/c.ts'],
	'poll-trigger-3': ['nodes/WebDataPollTrigger/events/b.ts', 'nodes/WebDataPollTrigger/poll.ts'],
	'trigger-1': ['nodes/WebDataTrigger/panel/a.ts', 'nodes/WebDataTrigger/monitor/a.ts'],
	'trigger-2': ['nodes/WebDataTrigger/monitor/b.ts', 'nodes/WebDataTrigger/receive/b.ts'],
	'trigger-3': ['nodes/WebDataTrigger/receive/c.ts', 'nodes/WebDataTrigger/a.ts'],
	'doors-routes': ['sandbox/app.ts', 'sandbox/routes/jobs/crawl.ts'],
	'doors-site': ['sandbox/web/b.ts', 'sandbox/site/layout.ts'],
};

/** Imports beside those above that make their circles. */
const ALSO: Array<[from: string, to: string]> = [
	['engine/b.ts', 'engine/a.ts'],
	['sandbox/crawl/b.ts', 'sandbox/map/a.ts'],
	['sandbox/map/c.ts', 'sandbox/crawl/c.ts'],
];

/** A project with just these imports, of types only. */
function writeProject(root: string, imports: Array<[from: string, to: string]>): void {
	const lines = new Map<string, string[]>();
	for (const [from, to] of imports.filter(([file]) => file.endsWith('.ts'))) {
		const target = to.startsWith('.') || to.startsWith('node:') ? to : join(root, to);
		lines.set(from, [...(lines.get(from) ?? []), `import type * as x from '${target}';`]);
		if (target.startsWith(root)) lines.set(to, lines.get(to) ?? []);
	}
	for (const [file, content] of lines) {
		mkdirSync(dirname(join(root, file)), { recursive: true });
		writeFileSync(join(root, file), ['export {};', ...content, ''].join('\n'));
	}
}

describe('the rules for the rooms', () => {
	// The whole project is read and parsed: 3 s alone, more beside other tests.
	jest.setTimeout(120_000);

	it('hold for the whole project, types included', () => {
		const { modules, summary } = cruise(ROOT, CHECKED);
		const violations = summary.violations.map(
			({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`,
		);
		expect(violations).toEqual([]);
		expect(modules.length).toBeGreaterThan(400);

		const rooms = new Map<string, number>();
		for (const { source } of modules.filter((file) => /^(nodes|sandbox)\//.test(file.source))) {
			rooms.set(dirname(source), (rooms.get(dirname(source)) ?? 0) + 1);
		}
		expect(rooms.size).toBeGreaterThan(40);
		expect([...rooms].filter(([, files]) => files > MAX_FILES_IN_A_ROOM)).toEqual([]);
	});

	it('speak up, each of them, when they are broken', () => {
		const root = mkdtempSync(join(tmpdir(), 'rooms-'));
		try {
			writeProject(root, [...Object.values(BROKEN), ...ALSO]);
			const { violations, ruleSetUsed } = cruise(root, [
				'nodes',
				'sandbox',
				'engine',
				'n8n',
			]).summary;
			const names = ruleSetUsed.forbidden.map(({ name }) => name);
			expect(Object.keys(BROKEN).sort()).toEqual([...names].sort());
			const silent = Object.entries(BROKEN).filter(
				([name, [from, to]]) =>
					!violations.some(
						(seen) =>
							seen.rule.name === name &&
							seen.from === from &&
							(seen.to === to || to === `node:${seen.to}`),
					),
			);
			expect(silent).toEqual([]);
		} finally {
			rmSync(root, { recursive: true });
		}
	});
});
