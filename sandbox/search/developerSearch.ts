import { z } from 'zod/v4';
import { wholeNumber } from '../http/bodySchema.ts';
import { rankByWords } from '../text/rankSentences.ts';

const KINDS = ['doc', 'issue', 'pull_request', 'readme'] as const;
type Kind = (typeof KINDS)[number];

interface Entry {
	id: string;
	type: Kind;
	url: string;
	title: string;
	passages: string[];
}

function entry(type: Kind, place: string, title: string, passages: string[]): Entry {
	return {
		id: `${type}:${place}`,
		type,
		url: `https://code.example/${place.replace('#', '/')}`,
		title,
		passages,
	};
}

/** Made-up hits about made-up projects. */
const ENTRIES: readonly Entry[] = [
	entry('issue', 'sandbox/route-planner#12', 'Retry on 429 loses the cursor', [
		'After a 429 the client starts again at the first page: the cursor has to be kept.',
		'Keep the cursor beside the retry counter.',
	]),
	entry('issue', 'sandbox/battery-log#4', 'Timestamps without a zone', [
		'Timestamps are read as local time when the zone is missing.',
	]),
	entry('pull_request', 'sandbox/route-planner#15', 'Keep the cursor over retries', [
		'Moves the cursor out of the loop, so that a retry goes on where it stopped.',
	]),
	entry('readme', 'sandbox/route-planner', 'route-planner', [
		'Plans rounds for cargo bikes. Install it, give it stops, get an order of stops.',
	]),
	entry('readme', 'sandbox/battery-log', 'battery-log', [
		'Logs the charge of bike batteries and warns before the range ends.',
	]),
	entry('doc', 'docs/retries', 'Retries and rate limits', [
		'Honour Retry-After on a 429. Repeat reads only, with backoff and jitter.',
	]),
];

const list = (most: number) =>
	z.preprocess(
		(value) => (typeof value === 'string' ? value.split(',') : value),
		z.array(z.string().min(1)).max(most).optional(),
	);
const flag = z.preprocess((value) => {
	if (value === 'true') return true;
	return value === 'false' ? false : value;
}, z.boolean().optional());

/** Query or body of a developer search; a query has its lists repeated or joined by commas (operation search.developerSearch). */
export const developerRequestSchema = z
	.object({
		query: z.string().min(1),
		k: wholeNumber(z.number().int().min(1).max(100)),
		types: z.preprocess(
			(value) => (typeof value === 'string' ? value.split(',') : value),
			z.array(z.enum(KINDS)).optional(),
		),
		repos: list(20),
		sources: list(20),
		skills: z.literal('only').optional(),
		passages: wholeNumber(z.number().int().min(1).max(5)),
		language: z.string().optional(),
		topic: list(8),
		license: z.string().optional(),
		min_stars: wholeNumber(z.number().int().min(0)),
		max_stars: wholeNumber(z.number().int().min(0)),
		archived: flag,
		fork: flag,
	})
	.strict();

type DeveloperRequest = z.output<typeof developerRequestSchema>;

/** The hits for a request, best first, with the outcome per kind (shapes developerResult, developerCoverage). */
export function developerSearch(request: DeveloperRequest) {
	const { types, k = 10, passages: most = 1 } = request;
	const found = rankByWords(request.query, ENTRIES, ({ title, passages }) => ({ title, texts: passages }))
		.map(({ one }) => one)
		.filter(({ type }) => !types || types.includes(type))
		.slice(0, k);
	const results = found.map(({ passages, ...hit }) => ({
		...hit,
		passages: passages.slice(0, most).map((text) => ({ text, citation_url: hit.url })),
	}));
	const coverage = Object.fromEntries(KINDS.map((kind) => [kind, types && !types.includes(kind) ? 'skipped' : 'ok']));
	return { answer: { success: true, results, coverage, reranked: false }, hits: results.length };
}
