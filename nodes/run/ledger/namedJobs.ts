import { addCredits } from '../../operation/webPage';
import { count } from '../../text/amounts';
import type { RunContext } from '../connection/runContext';
import { costText } from '../output/hints';
import type { RunTotals } from '../output/hints';
import type { Notes } from '../output/notes';
import type { Entry } from './entries';

/** n8n cuts a longer text at 512 characters, but logs an error for each above this (n8n-core 1.123 and 2.41). */
const MAX_TEXT_LENGTH = 255;
/** n8n cuts a longer key. */
const MAX_KEY_LENGTH = 50;
/** n8n drops each key after the tenth without a word, whoever sets it. */
const MAX_KEYS = 10;
/** So many of them are left to the workflow. */
const OTHER_KEYS = 2;

/** The custom data that n8n offers nodes and expressions as $execution.customData. */
interface CustomData {
	set(key: string, value: string): void;
	get(key: string): string | undefined;
	getAll(): Record<string, string | undefined>;
}

/**
 * Names the jobs of an execution in its custom data, as each is started. That is what n8n shows of an
 * execution that was stopped: it keeps nothing of what a node returns or throws by then
 * (docs/reference/n8n-internals.md#custom-data-after-stop).
 */
export class StartedJobs {
	/** `collectWith` names the operation that collects a job later: `Crawl · Get`. */
	constructor(
		private readonly ctx: RunContext,
		private readonly collectWith: string,
	) {}

	/** Never throws: n8n's log has the jobs, too. */
	add(id: string): void {
		this.withData((data) => this.write(data, id));
	}

	/** Says how far the jobs are; an empty text says nothing. Never throws. */
	tell(progress: string): void {
		if (progress === '') return;
		this.withData((data) => {
			const text = `${progress}: ${this.collectWith} returns them`.slice(0, MAX_TEXT_LENGTH);
			this.names.find((name) => isSet(data, progressKey(name), text));
		});
	}

	private withData(write: (data: CustomData) => void): void {
		try {
			const { $execution } = this.ctx.getWorkflowDataProxy(0);
			write(($execution as { customData: CustomData }).customData);
		} catch {
			// An n8n without custom data.
		}
	}

	/** n8n 1.123 takes ASCII alone, and says so in manual executions only; 2.41 takes the letters of any language. */
	private get names(): string[] {
		const { name } = this.ctx.getNode();
		return [name.replace(/[^\p{L}\p{N}]+/gu, '_'), name.replace(/\W+/g, '_')];
	}

	private write(data: CustomData, id: string): void {
		const { collectWith } = this;
		for (const plain of this.names) {
			const keys = customDataKeys(plain);
			const all = data.getAll();
			// Earlier runs of the node in this execution, such as rounds of a loop, have named theirs.
			const named = namedJobs(
				collectWith,
				keys.flatMap((key) => all[key] ?? []),
			);
			if (named.ids.includes(id)) return;
			// One key is left for how far the jobs are.
			const own = [...keys, progressKey(plain)];
			const others = Object.keys(all).filter((key) => !own.includes(key)).length + 1;
			const jobs = { ids: [id, ...named.ids], more: named.more };
			const texts = customDataTexts(collectWith, jobs, MAX_KEYS - OTHER_KEYS - others);
			if (texts.every((text, index) => isSet(data, keys[index] ?? '', text))) return;
		}
	}
}

function isSet(data: CustomData, key: string, text: string): boolean {
	try {
		data.set(key, text);
		return data.get(key) === text;
	} catch {
		return false;
	}
}

/** The keys for a node of this name, in the order they are used. */
function customDataKeys(name: string): string[] {
	return Array.from({ length: MAX_KEYS }, (_none, index) => {
		const number = index === 0 ? '' : index + 1;
		return `webData${number}_${name}`.slice(0, MAX_KEY_LENGTH);
	});
}

function progressKey(name: string): string {
	return `webDataDone_${name}`.slice(0, MAX_KEY_LENGTH);
}

/** The progress of a job: how much it has done, of how much, and what that cost, where the service says it. */
export interface JobProgress {
	done: number;
	total?: number;
	credits?: number;
}

/** `49 of 60 pages (= 49 credits)`, of all jobs together; empty where nothing is done. */
export function progressText(jobs: readonly JobProgress[], [one, many]: RunTotals['usageUnit']): string {
	if (jobs.length === 0) return '';
	const done = jobs.reduce((sum, job) => sum + job.done, 0);
	const total = jobs.reduce((sum, job) => sum + (job.total ?? job.done), 0);
	const credits = jobs.reduce<number | undefined>((sum, job) => addCredits(sum, job.credits), 0);
	const amount = total > done ? `${done} of ${total} ${many}` : count(done, one, many);
	return `${amount} done${jobs.length > 1 ? ` in ${jobs.length} jobs` : ''}${costText(credits)}`;
}

/** Jobs in the order of the texts; `more` counts those that are not in `ids`. */
interface NamedJobs {
	ids: readonly string[];
	more: number;
}

/** The jobs that texts of customDataTexts name; nothing where somebody has put another one in their place. */
export function namedJobs(collectWith: string, texts: readonly string[]): NamedJobs {
	const [, listed = '', more = '0'] = /^(.*?)(?: and (\d+) more)?$/s.exec(texts.join(', ')) ?? [];
	const head = `${collectWith}: `;
	if (!listed.startsWith(head)) return { ids: [], more: 0 };
	return { ids: listed.slice(head.length).split(', '), more: Number(more) };
}

/**
 * Texts that say how to collect these jobs, at most so many: as many whole ids as n8n takes, from the first on, and
 * how many more there are.
 */
function customDataTexts(collectWith: string, { ids, more }: NamedJobs, maxTexts: number): string[] {
	const head = `${collectWith}: `;
	for (let shown = ids.length; shown > 0; shown--) {
		const left = ids.length - shown + more;
		const texts = packed(ids.slice(0, shown), head);
		const last = (texts.pop() ?? '') + (left > 0 ? ` and ${left} more` : '');
		const isFitting = [...texts, last].every(({ length }) => length <= MAX_TEXT_LENGTH);
		if (isFitting && texts.length < Math.max(1, maxTexts)) return [...texts, last];
	}
	return [head + count(ids.length + more, 'job')];
}

/** The ids in as few texts as take them, each to its end before the next; the first begins with `head`. */
function packed(ids: readonly string[], head: string): string[] {
	const [first = '', ...others] = ids;
	const texts: string[] = [];
	let text = head + first;
	for (const id of others) {
		const longer = `${text}, ${id}`;
		if (longer.length <= MAX_TEXT_LENGTH) {
			text = longer;
			continue;
		}
		texts.push(text);
		text = id;
	}
	return [...texts, text];
}

/** Adds jobs that an earlier try has paid for and that this one did not use: they failed, or something else is asked for. */
export function noteUnclaimed(notes: Notes, left: Entry[]): void {
	for (const { id = '', state, collectWith = 'Get' } of left) {
		notes.add(state === 'failed' ? 'failedBefore' : 'unusedJobs', { name: id, detail: collectWith });
	}
}
