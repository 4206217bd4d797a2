import type { ResearchQuestion } from '../../../nodes/research/contract/question';
import { ResearchFailure } from '../../../nodes/research/contract/result';
import { modelError, stepOf } from './world.ts';
import type { Step, World } from './world.ts';

/**
 * One trouble in a run. `at`: with which call it begins, counted from 0: of the model, or of the service. `blank`: the
 * model says nothing any more in steps of this kind. `refused`: it refuses this one call. `tokens`, `time`, `credits`:
 * a limit that is reached there. `down`: the service cannot do this one call. `unpaid`: it has no credits any more.
 */
export interface Trouble {
	kind: 'blank' | 'refused' | 'tokens' | 'time' | 'credits' | 'down' | 'unpaid';
	at: number;
}

/** What a run without a trouble has come to, by calls: where a limit can end it. */
export interface Untroubled {
	modelCalls: number;
	serviceCalls: number;
	/** What the model had counted, and the time in milliseconds, before each of its calls. */
	tokens: number[];
	sinceMs: number[];
	credits: number;
}

/** Counts the calls of a world, and lets a trouble happen to it. Gives what is counted. */
function counted(world: World, trouble?: Trouble): Untroubled {
	const course: Untroubled = { modelCalls: 0, serviceCalls: 0, tokens: [], sinceMs: [], credits: 0 };
	const began = world.clock.now();
	let [spent, blank] = [0, undefined as Step | undefined];
	world.beforeCall = (kind) => {
		if (kind === 'ask') return;
		const at = course.serviceCalls;
		course.serviceCalls += 1;
		if (trouble?.kind === 'down' && at === trouble.at) throw new Error('The site answered 503.');
		if (trouble?.kind === 'unpaid' && at >= trouble.at)
			throw Object.assign(new Error('Payment required.'), { httpCode: 402 });
	};
	const { parts } = world;
	const ask: typeof parts.ask = async (request) => {
		const at = course.modelCalls;
		course.modelCalls += 1;
		course.tokens.push(spent);
		course.sinceMs.push(world.clock.now() - began);
		if (trouble?.kind === 'refused' && at === trouble.at) throw modelError(400, 'refused');
		if (trouble?.kind === 'blank' && at === trouble.at) blank = stepOf(request);
		const answer = await parts.ask(request);
		const used = { inputTokens: Math.ceil((request.system.length + request.user.length) / 4), outputTokens: 40 };
		spent += used.inputTokens + used.outputTokens;
		return { ...answer, ...used, ...(blank !== undefined && stepOf(request) === blank && { content: '' }) };
	};
	Object.defineProperty(world, 'parts', { value: { ...parts, ask } });
	return course;
}

/** Runs something in a world, with a trouble where there is one; undefined where it ends with one of research's sentences. */
export async function runUnder<T extends { usage: { creditsUsed: number } }>(
	world: World,
	run: (world: World, limits: Partial<ResearchQuestion>) => Promise<T>,
	trouble?: Trouble,
	healthy?: Untroubled,
): Promise<{ result: T | undefined; course: Untroubled }> {
	const course = counted(world, trouble);
	const limits = trouble && healthy ? limitsUnder(trouble, healthy) : {};
	const result = await world.clock.until(outcomeOf(run(world, limits)));
	course.credits = result?.usage.creditsUsed ?? 0;
	return { result, course };
}

/** All single troubles that a run of this course can have. */
export function troublesOf(course: Untroubled): Trouble[] {
	const calls = Array.from({ length: course.modelCalls }, (_one, at) => at);
	const asked = Array.from({ length: course.serviceCalls }, (_one, at) => at);
	const credits = Array.from({ length: course.credits }, (_one, at) => at);
	return [
		...calls.flatMap((at): Trouble[] => [
			{ kind: 'blank', at },
			{ kind: 'refused', at },
			{ kind: 'tokens', at },
			{ kind: 'time', at },
		]),
		...asked.flatMap((at): Trouble[] => [
			{ kind: 'down', at },
			{ kind: 'unpaid', at },
		]),
		...credits.map((at): Trouble => ({ kind: 'credits', at })),
	];
}

/** The limits of a question under a trouble. */
function limitsUnder({ kind, at }: Trouble, { tokens, sinceMs }: Untroubled): Partial<ResearchQuestion> {
	if (kind === 'tokens') return { maxTokens: Math.max(1, tokens[at] ?? 0) };
	if (kind === 'time') return { timeLimitMs: Math.max(1, sinceMs[at] ?? 0) };
	return kind === 'credits' ? { maxCredits: at } : {};
}

async function outcomeOf<T>(running: Promise<T>): Promise<T | undefined> {
	return await running.catch((error: unknown) => {
		const isOfService = error instanceof Error && /^(?:Payment required|The site answered 503)\.$/.test(error.message);
		if (!isOfService && !(error instanceof ResearchFailure)) throw error;
		return undefined;
	});
}
