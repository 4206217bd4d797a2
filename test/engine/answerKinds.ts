import type { INodeParameters } from 'n8n-workflow';
import type { FaultRule } from '../../sandbox/control/faultBook.ts';
import type { Sandbox } from '../../sandbox/server.ts';

/** A kind of job that ends with one answer, as a person sets it up: what is asked comes from the item's `q`. */
interface AnswerKind {
	name: 'agent' | 'extract' | 'llmsTxt';
	label: string;
	/** `Agent · Get` */
	collectWith: string;
	/** What the sandbox is asked to do with `q`: the start's parameters. */
	asks: INodeParameters;
	/** The same filled in by an AI agent. */
	toolAsks: INodeParameters;
	/** What stands in a good item, beside id and status. */
	gives: object;
	/** `1 result (= 15 credits)` */
	costs: string;
	cancellable: boolean;
	/** A status of a job that has ended well without anything in it, and what is said of that. */
	nothing: Record<string, object>;
	saysOfNothing: string;
}

const model = (q: string) => `={{ $fromAI('q', '${q}', 'string') }}`;

export const ANSWER_KINDS: AnswerKind[] = [
	{
		name: 'agent',
		label: 'agent job',
		collectWith: 'Agent · Get',
		asks: { prompt: '={{ $json.q }}' },
		toolAsks: { prompt: model('what to find') },
		gives: {
			data: { answer: expect.any(String), sources: ['https://example.com/'] },
			creditsUsed: 15,
		},
		costs: '1 result (= 15 credits)',
		cancellable: true,
		nothing: {
			'an empty object': { status: 'completed', data: {}, creditsUsed: 15 },
			'an empty list': { status: 'completed', data: [], creditsUsed: 15 },
			null: { status: 'completed', data: null, creditsUsed: 15 },
			'no data': { status: 'completed', creditsUsed: 15 },
			'an empty text': { status: 'completed', data: '', creditsUsed: 15 },
		},
		saysOfNothing: 'gave no data',
	},
	{
		name: 'extract',
		label: 'extract job',
		collectWith: 'Extract · Get',
		asks: {
			prompt: '={{ $json.q }}',
			urls: '=https://site.example/{{ encodeURIComponent($json.q) }}',
		},
		toolAsks: { prompt: model('what to find'), urls: 'https://site.example/a' },
		gives: {
			data: { answer: expect.any(String), title: 'Cargo bikes in city deliveries' },
			creditsUsed: 21,
		},
		costs: '1 result (= 21 credits)',
		cancellable: false,
		nothing: {
			'an empty object': { status: 'completed', data: {}, tokensUsed: 300, creditsUsed: 20 },
			'the list of a running one': { status: 'completed', data: [], creditsUsed: 20 },
			'no data': { success: true, status: 'completed' },
		},
		saysOfNothing: 'gave no data',
	},
	{
		name: 'llmsTxt',
		label: 'LLMs.txt job',
		collectWith: 'LLMs.txt · Get',
		asks: { url: '=https://site.example/{{ $json.q }}' },
		toolAsks: { url: `=https://site.example/{{ $fromAI('q', 'page', 'string') }}` },
		gives: { llmstxt: expect.stringContaining('- [Page]') },
		costs: '1 page (= 1 credit)',
		cancellable: false,
		nothing: {
			'a heading alone': {
				status: 'completed',
				data: { llmstxt: '# https://a.example llms.txt\n\n' },
			},
			'no text': { status: 'completed', data: { llmstxt: '' } },
			'no data': { status: 'completed' },
		},
		saysOfNothing: 'found no pages',
	},
];

/** The start of a job of the kind. */
export function startOf({ name, asks }: AnswerKind, more: INodeParameters = {}): INodeParameters {
	return { resource: name, operation: 'start', ...asks, ...more };
}

/** What the service answers to every check of a job, or to the next few. */
export function sayOfJobs(sandbox: Sandbox, body: object, rule: Partial<FaultRule> = {}): void {
	sandbox.faults.add({ step: 'status', kind: 'wrongShape', body, ...rule } as FaultRule);
}
