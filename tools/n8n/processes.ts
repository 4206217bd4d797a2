import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** A program to start. */
interface Program {
	/** What to call it in messages, e.g. `n8n`. */
	name: string;
	command: string;
	args: string[];
	cwd: string;
	/** The whole environment of the program. */
	env: NodeJS.ProcessEnv;
	/** Where its output is appended, standard output and error together. */
	logFile: string;
	/** Run it as another user of this machine (root only). */
	uid?: number;
	gid?: number;
}

/** A program that was started, in a process group of its own. */
export interface RunningProgram {
	readonly name: string;
	readonly pid: number;
	readonly logFile: string;
	/** Settles when the program itself ends: its exit code, or the signal that ended it. */
	readonly exited: Promise<string>;
	/** Whether the program still runs. */
	isRunning(): boolean;
	/** The last `lines` lines of its log. */
	tail(lines?: number): string;
	/** Asks it to end, and ends it and its children by force after `graceMs`. */
	stop(graceMs?: number): Promise<void>;
	/** Ends it and all its children at once with SIGKILL, as a crash of the machine would. */
	kill(): Promise<void>;
}

/** The groups that must not outlive this process. */
const liveGroups = new Set<number>();
let endsWithThisProcess = false;

function signalGroup(pid: number, signal: NodeJS.Signals): void {
	try {
		process.kill(-pid, signal);
	} catch {
		// The group is already gone.
	}
}

/**
 * A process that was killed cannot end what it started. A shell of a few kilobytes watches for that:
 * once this process is gone, it ends the group; once the group is gone, it ends itself.
 */
const watch = 'while kill -0 "$1" && kill -0 -"$2"; do sleep 1; done; kill -9 -"$2"';

function watchOver(pid: number): void {
	if (process.platform === 'win32') return;
	const shell = spawn('/bin/sh', ['-c', watch, 'watch', String(process.pid), String(pid)], {
		detached: true,
		stdio: 'ignore',
	});
	shell.on('error', () => {
		// No shell, no watch; the other ways to end the group remain.
	});
	shell.unref();
}

/** When this process ends by itself or by a signal, what it started ends with it. */
function endWithThisProcess(): void {
	if (endsWithThisProcess) return;
	endsWithThisProcess = true;
	process.on('exit', () => {
		for (const pid of liveGroups) signalGroup(pid, 'SIGKILL');
	});
	const codes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
		// Someone who wants a graceful end listens too; then the exit is theirs.
		process.on(signal, () => {
			if (process.listenerCount(signal) === 1) process.exit(codes[signal]);
		});
	}
}

/**
 * Starts `program` in a process group of its own, so that it can be ended together with every child
 * it starts, and ends it when this process ends.
 *
 * @throws when the program cannot be started at all.
 */
export async function startProgram(program: Program): Promise<RunningProgram> {
	endWithThisProcess();
	mkdirSync(path.dirname(program.logFile), { recursive: true });
	const log = openSync(program.logFile, 'a');
	const child = spawn(program.command, program.args, {
		cwd: program.cwd,
		env: program.env,
		detached: true,
		stdio: ['ignore', log, log],
		...(program.uid === undefined ? {} : { uid: program.uid }),
		...(program.gid === undefined ? {} : { gid: program.gid }),
	});
	const started = new Promise<void>((resolve, reject) => {
		child.once('spawn', resolve);
		child.once('error', reject);
	});
	let running = true;
	const exited = new Promise<string>((resolve) => {
		child.once('exit', (code, signal) => {
			running = false;
			resolve(signal ?? `exit code ${String(code)}`);
		});
	});
	try {
		await started;
	} catch (error) {
		throw new Error(`${program.name} did not start: ${error instanceof Error ? error.message : String(error)}`);
	} finally {
		closeSync(log);
	}
	const { pid } = child;
	if (pid === undefined) throw new Error(`${program.name} did not start: it has no process id`);
	liveGroups.add(pid);
	watchOver(pid);

	const kill = async (): Promise<void> => {
		// A group may outlive its leader: signal it even when the leader has ended.
		if (liveGroups.has(pid)) signalGroup(pid, 'SIGKILL');
		liveGroups.delete(pid);
		await exited;
	};
	const stop = async (graceMs = 10_000): Promise<void> => {
		if (running) signalGroup(pid, 'SIGTERM');
		await within(exited, graceMs);
		await kill();
	};
	return {
		name: program.name,
		pid,
		logFile: program.logFile,
		exited,
		isRunning: () => running,
		tail: (lines = 30) => readFileSync(program.logFile, 'utf8').trimEnd().split('\n').slice(-lines).join('\n'),
		stop,
		kill,
	};
}

/** What `promise` gives, or undefined when it takes longer than `ms`. */
export async function within<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
	let timer: NodeJS.Timeout | undefined;
	const late = new Promise<undefined>((resolve) => {
		timer = setTimeout(() => resolve(undefined), ms);
	});
	try {
		return await Promise.race([promise, late]);
	} finally {
		clearTimeout(timer);
	}
}
