import { createContext, runInContext } from 'node:vm';

import type { ExecuteRequest } from './sessionRequest.ts';
import type { StandInPage } from './standInPage.ts';

/** What a run of code came to (recordings browser-10 to browser-17). */
export interface CodeRun {
	stdout: string;
	result: string;
	stderr: string;
	exitCode: number;
	killed: boolean;
	error?: string;
}

const LASTS = /\[lasts:(\d+(?:\.\d+)?)\]/;
const FAILED: CodeRun = failed('Error: stub failure', 1);

function failed(text: string, exitCode: number): CodeRun {
	return { stdout: '', result: '', stderr: text, exitCode, killed: false, error: text };
}

const KILLED: CodeRun = { ...failed('timed out', 137), killed: true };

function succeeded(stdout: string, value: unknown): CodeRun {
	const result = stdout === '' ? (value === undefined ? 'ok' : String(value)) : stdout;
	return { stdout, result, stderr: '', exitCode: 0, killed: false };
}

async function runJavaScript(code: string, timeoutMs: number, page: StandInPage): Promise<CodeRun> {
	const lines: string[] = [];
	const log = (...parts: unknown[]): void => void lines.push(parts.map(String).join(' '));
	const context = createContext({ console: { log, error: log }, page });
	try {
		// An expression has a value, statements that await need a function around them.
		const isStatement = /\bawait\b|\breturn\b/.test(code);
		const source = isStatement ? `(async () => {\n${code}\n})()` : code;
		const value: unknown = await runInContext(source, context, { timeout: timeoutMs });
		return succeeded(lines.join('\n'), value);
	} catch (error) {
		const isLate = String(Object(error).code) === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
		return isLate ? KILLED : { ...failed(String(error), 1), stdout: lines.join('\n') };
	}
}

/** Prints what a print or echo of plain text prints: Python and bash are not run here. */
function runStandIn({ code, language }: ExecuteRequest): CodeRun {
	const printing =
		language === 'python' ? /print\(\s*(['"])(.*?)\1\s*\)/g : /^\s*echo\s+(['"]?)(.*?)\1\s*$/gm;
	const exit = /\b(?:sys\.)?exit\(?\s*(\d+)/.exec(code)?.[1];
	if (exit !== undefined && exit !== '0') return failed(`exit status ${exit}`, Number(exit));
	if (/^\s*raise\b/m.test(code)) return failed('Exception: raised', 1);
	return succeeded([...code.matchAll(printing)].map(([, , text]) => text).join('\n'), undefined);
}

/**
 * Runs code in a session. JavaScript is run, within a bound; Python and bash are played. [fail], [killed]
 * and [lasts:SECONDS] in it do what they say. `wait` passes the time it lasts, in seconds.
 */
export async function runCode(
	request: ExecuteRequest,
	wait: (seconds: number) => Promise<void>,
	page: StandInPage,
): Promise<CodeRun> {
	const { code, language, timeout } = request;
	const seconds = Number(LASTS.exec(code)?.[1] ?? 0);
	if (seconds > 0) await wait(Math.min(seconds, timeout));
	if (code.includes('[killed]') || seconds > timeout) return KILLED;
	if (code.includes('[fail]')) return FAILED;
	return language === 'node' ? runJavaScript(code, 1000, page) : runStandIn(request);
}
