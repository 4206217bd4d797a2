import type { INodeParameters } from 'n8n-workflow';

import type { Recorded } from './recordedService';

const ID = '01a1ffce-e10c-74d8-b27b-cc3c68d5d343';

/** An answer in the contract's shape, where no server could be recorded. */
const answer = (body: unknown): Recorded => ({ name: 'contract', response: { status: 200, body } });

interface RecordedExample {
	answers: Array<string | Recorded>;
	more?: INodeParameters;
}

/** Operations whose example comes from recorded answers, by resource and operation. */
export const RECORDED_RUNS: Record<string, RecordedExample> = {
	'account getCreditUsage': { answers: ['team-01'] },
	'account getCreditHistory': { answers: ['team-03'] },
	'account getActivity': { answers: ['team-24-activity-endpoint-crawl', 'team-24'] },
	'account getQueueStatus': { answers: ['team-12'] },
	'account getConcurrency': { answers: ['team-15'] },
	'account getTokenUsage': { answers: ['team-07'] },
	'account getTokenHistory': { answers: ['team-09'] },
	'account getThreatProtection': { answers: ['auth26-60'] },
	'account updateThreatProtection': { answers: ['auth26-63'], more: { mode: 'off' } },
	'agent start': { answers: ['agent-01', 'agent-13'], more: { prompt: 'Find the CEO' } },
	'agent get': { answers: ['agent-14'], more: { jobId: ID } },
	'agent cancel': { answers: ['agent-10'], more: { jobId: ID } },
	'agent getTrace': { answers: ['agent-20'], more: { jobId: ID } },
	'agent getSnapshot': { answers: ['agent-23'], more: { jobId: ID, snapshotId: 'snap-1' } },
	'agent getMany': {
		answers: [
			answer({
				success: true,
				agents: [
					{
						id: ID,
						createdAt: '2026-08-01T12:00:00.000Z',
						targetHint: 'Find the CEO',
						status: 'completed',
					},
				],
			}),
		],
	},
	'agent getThread': {
		answers: [
			answer({
				success: true,
				thread: {
					id: ID,
					createdAt: '2026-08-01T12:00:00.000Z',
					updatedAt: '2026-08-01T12:00:00.000Z',
					status: 'idle',
					runs: [{ id: ID, turn: 1, mode: 'chat', prompt: 'Find the CEO', status: 'succeeded' }],
				},
			}),
		],
		more: { threadId: ID },
	},
	'browser runInNewSession': {
		answers: ['browser-01', 'browser-10', 'browser-50'],
		more: { steps: { step: [{ code: "console.log('hello')" }] } },
	},
	'browser createSession': { answers: ['browser-01'] },
	'browser runCode': {
		answers: ['browser-10'],
		more: { sessionId: ID, code: "console.log('hello')" },
	},
	'browser closeSession': { answers: ['browser-50'], more: { sessionId: ID } },
	'browser getMany': { answers: ['browser-06'] },
	'browser interact': { answers: ['interact-04'], more: { scrapeId: ID, prompt: 'click go' } },
	'browser stopInteraction': { answers: ['interact-31'], more: { scrapeId: ID } },
	'extract start': { answers: ['extract-01', 'extract-30'], more: { prompt: 'name and price' } },
	'extract get': { answers: ['extract-31'], more: { jobId: ID } },
	'feedback rateSearch': {
		answers: ['feedback-05'],
		more: { jobId: ID, valuableSources: { source: [{ url: 'https://example.com' }] } },
	},
	'feedback rateJob': { answers: ['feedback-01'], more: { jobId: ID, note: 'fine' } },
	'llmsTxt start': { answers: ['llms-01', 'llms-11'], more: { url: 'https://example.com' } },
	'llmsTxt get': { answers: ['llms-12'], more: { jobId: ID } },
	'monitor create': {
		answers: ['monitor-04'],
		more: {
			name: 'Minimal',
			targets: { target: [{ type: 'scrape', urls: 'https://example.com/about' }] },
		},
	},
	'monitor get': { answers: ['monitor-62'], more: { monitorId: ID } },
	'monitor getMany': { answers: ['monitor-20-list'] },
	'monitor getChecks': { answers: ['monitor-41'], more: { monitorId: ID } },
	'monitor run': { answers: ['monitor-30', 'monitor-37'], more: { monitorId: ID } },
	'monitor getCheck': {
		answers: ['monitor-37'],
		more: { monitorId: ID, jobId: ID, pageStatus: 'changed', output: 'fullPages' },
	},
	'monitor update': {
		answers: ['monitor-60-update-16'],
		more: { monitorId: ID, options: { status: 'paused' } },
	},
	'monitor delete': { answers: ['monitor-70'], more: { monitorId: ID } },
	'support ask': {
		answers: [answer({ answer: 'The site blocks robots.', confidence: 'high', durationMs: 21000 })],
		more: { question: 'Why has my crawl one page?' },
	},
	'support searchDocs': {
		answers: [answer({ requestId: ID, answer: 'Use excludePaths.', evidence: [], durationMs: 9000 })],
		more: { question: 'How do I exclude paths?' },
	},
};
