import path from 'node:path';
import { within, startProgram } from './processes.ts';

/** One run of npm. */
interface NpmRun {
	cwd: string;
	args: string[];
	/** Node.js binary that npm and the packages' own steps run with; the first `node` on the PATH if absent. */
	nodeBinary?: string;
	logFile: string;
	timeoutMs: number;
	/** Called about every ten seconds while npm runs. */
	onTick?: () => Promise<void>;
}

/**
 * This process's environment without what `npm run` adds for its own script: an npm started for
 * another folder must not take this project's settings for its own.
 *
 * @param nodeBinary put first on the PATH, if given
 */
export function cleanEnvironment(nodeBinary?: string): NodeJS.ProcessEnv {
	const env: NodeJS.ProcessEnv = {};
	for (const [name, value] of Object.entries(process.env)) {
		const fromScript =
			/^npm_(package|lifecycle)_/.test(name) ||
			[
				'npm_config_local_prefix',
				'npm_command',
				'npm_execpath',
				'npm_node_execpath',
				'INIT_CWD',
				'NODE_OPTIONS',
			].includes(name) ||
			// node:test tells its own children to report to it; n8n's children are not such.
			name === 'NODE_TEST_CONTEXT';
		if (!fromScript) env[name] = value;
	}
	if (nodeBinary !== undefined) env.PATH = `${path.dirname(nodeBinary)}${path.delimiter}${env.PATH ?? ''}`;
	return env;
}

/**
 * Runs npm to its end.
 *
 * @throws with the last lines of its log when it fails or takes longer than `timeoutMs`.
 */
export async function runNpm(run: NpmRun): Promise<void> {
	const program = await startProgram({
		name: `npm ${run.args[0] ?? ''}`,
		command: 'npm',
		args: run.args,
		cwd: run.cwd,
		env: cleanEnvironment(run.nodeBinary),
		logFile: run.logFile,
	});
	const deadline = Date.now() + run.timeoutMs;
	for (;;) {
		const outcome = await within(program.exited, Math.min(10_000, Math.max(1, deadline - Date.now())));
		if (outcome === 'exit code 0') return;
		if (outcome !== undefined) {
			throw new Error(
				`npm ${run.args.join(' ')} failed (${outcome}). Its log is ${run.logFile}; it ends with:\n${program.tail(15)}`,
			);
		}
		if (Date.now() >= deadline) {
			await program.kill();
			throw new Error(
				`npm ${run.args.join(' ')} took longer than ${run.timeoutMs / 60_000} minutes. Its log is ${run.logFile}.`,
			);
		}
		await run.onTick?.();
	}
}
