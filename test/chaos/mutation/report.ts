import { createHash } from 'node:crypto';
import ts from 'typescript';
import { z } from 'zod';

const place = z.object({ line: z.number(), column: z.number() });
const mutant = z.object({
	status: z.string(),
	mutatorName: z.string(),
	replacement: z.string().optional(),
	location: z.object({ start: place, end: place }),
});
const report = z.object({
	files: z.record(z.object({ source: z.string(), mutants: z.array(mutant) })),
});

/** A change that no test noticed. Lines move: it is named by the code of its line. */
export interface Survivor {
	code: string;
	/** What it was and what it is, shortened. */
	change: string;
	/** No test even reaches it. */
	isUnreached: boolean;
}

/** How one file did. */
export interface FileScore {
	file: string;
	/** Of the text that was changed: the file may be another by now. */
	fingerprint: string;
	/** Changes that a test noticed, those included that made it run for ever. */
	killed: number;
	byTime: number;
	all: number;
	survivors: Survivor[];
}

/** Reads Stryker's report (schema of mutation-testing-elements 3). Throws where it is none. */
export function readReport(json: string): FileScore[] {
	const { files } = report.parse(JSON.parse(json));
	return Object.entries(files)
		.map(([file, { source, mutants }]) => scoreOf(file, source, mutants))
		.sort((left, right) => left.file.localeCompare(right.file));
}

function scoreOf(file: string, source: string, mutants: Array<z.infer<typeof mutant>>): FileScore {
	const withStatus = (...states: string[]) =>
		mutants.filter(({ status }) => states.includes(status));
	const killed = withStatus('Killed', 'Timeout').length;
	const survivors = withStatus('Survived', 'NoCoverage').map((one) => survivorOf(one, source));
	return {
		file,
		fingerprint: fingerprintOf(source),
		killed,
		byTime: withStatus('Timeout').length,
		all: killed + survivors.length,
		survivors,
	};
}

/** Tells one text of a file from another. */
export function fingerprintOf(source: string): string {
	return createHash('sha256').update(source).digest('hex').slice(0, 8);
}

/** Whether nothing is left of a file without its types and comments. */
export function isTypesOnly(source: string): boolean {
	const options = { target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.ESNext };
	const code = ts.transpile(source, { ...options, removeComments: true });
	return /^\s*(export \{\};\s*)?$/.test(code);
}

const MAX_LETTERS = 70;

function survivorOf(one: z.infer<typeof mutant>, source: string): Survivor {
	const { start, end } = one.location;
	const lines = source.split('\n').slice(start.line - 1, end.line);
	const whole = lines.join('\n');
	const after = whole.length - (lines.at(-1)?.length ?? 0) + end.column - 1;
	const before = whole.slice(start.column - 1, after);
	const short = (text: string) => text.replace(/\s+/g, ' ').trim().slice(0, MAX_LETTERS);
	return {
		code: short(lines[0] ?? ''),
		change: `${short(before)} → ${short(one.replacement ?? one.mutatorName)}`,
		isUnreached: one.status === 'NoCoverage',
	};
}

/** The share of the changes that was noticed; 1 where there is nothing to change. */
export function shareOf({ killed, all }: Pick<FileScore, 'killed' | 'all'>): number {
	return all === 0 ? 1 : killed / all;
}
