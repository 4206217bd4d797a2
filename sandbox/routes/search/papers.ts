import { z } from 'zod/v4';
import { jsonAnswer, badSearch, refusal } from '../../http/answer.ts';
import type { Answer } from '../../http/answer.ts';
import { acceptBody } from '../../requests/answerRequest.ts';
import type { Route } from '../../requests/routes.ts';
import { PAPERS, paperFacts, paperHit } from '../../search/papers.ts';
import type { Paper } from '../../search/papers.ts';
import { termsOf } from '../../text/rankSentences.ts';
import type { Service } from '../../service/service.ts';

const PATH = '/v2/search/research/papers';

const list = z.preprocess(
	(value) => (typeof value === 'string' ? value.split(',') : value),
	z.array(z.string()).default([]),
);
const most = (bound: number, fallback: number) => z.coerce.number().int().min(1).max(bound).default(fallback);
const searchQuery = z.object({
	query: z.string().min(1),
	k: most(500, 40),
	authors: list,
	categories: list,
	from: z.string().optional(),
	to: z.string().optional(),
});
const paperQuery = z.object({ query: z.string().min(1).optional(), k: most(50, 4) });
const similarQuery = z.object({
	intent: z.string().min(1),
	mode: z.enum(['similar', 'citers', 'references']).default('similar'),
	k: most(500, 40),
	rerank: z.enum(['true', 'false']).optional(),
	anchor: list,
});

function search(service: Service, query: unknown): Answer {
	const {
		query: words,
		k,
		authors,
		categories,
		from = '',
		to = '9',
	} = acceptBody(service, { malformed: false, value: query }, searchQuery, badSearch);
	const fits = ({ authors: names, categories: own, createdDate }: Paper): boolean =>
		authors.every((author) => names.toLowerCase().includes(author.trim().toLowerCase())) &&
		categories.every((category) => own.includes(category.trim())) &&
		createdDate >= from &&
		createdDate <= to;
	const results = service.papers
		.search(words)
		.filter(({ paper }) => fits(paper))
		.slice(0, k)
		.map(({ paper, score }) => paperHit(paper, score));
	return jsonAnswer(200, { success: true, results });
}

function read(service: Service, id: string, query: unknown): Answer {
	const asked = acceptBody(service, { malformed: false, value: query }, paperQuery, badSearch);
	const paper = service.papers.find(id);
	if (!paper) return refusal(404, 'Paper not found');
	const { query: question, k } = asked;
	if (question === undefined) return jsonAnswer(200, { success: true, paper: paperFacts(paper) });
	const wanted = termsOf(question);
	const passages = [paper.abstract, ...paper.passages].map((text) => {
		const terms = termsOf(text);
		const hits = wanted.filter((term) => terms.includes(term)).length;
		return { text, score: hits / Math.max(1, wanted.length) };
	});
	passages.sort((left, right) => right.score - left.score);
	return jsonAnswer(200, {
		success: true,
		paperId: paper.paperId,
		query: question,
		passages: passages.slice(0, k),
	});
}

function similar(service: Service, id: string, query: unknown): Answer {
	const asked = acceptBody(service, { malformed: false, value: query }, similarQuery, badSearch);
	const { intent, k, anchor } = asked;
	const seeds = [id, ...anchor].flatMap((one) => service.papers.find(one) ?? []);
	const [seed] = seeds;
	if (!seed) return refusal(404, 'Paper not found');
	const pool = PAPERS.filter((paper) => !seeds.includes(paper));
	const scores = new Map(
		service.papers.search(`${intent} ${seed.title}`).map(({ paper, score }) => [paper.paperId, score]),
	);
	const ranked = pool
		.map((paper) => ({ paper, score: scores.get(paper.paperId) ?? 0 }))
		.sort((left, right) => right.score - left.score);
	return jsonAnswer(200, {
		success: true,
		results: ranked.slice(0, k).map(({ paper, score }) => ({
			...paperHit(paper, score),
			signals: { structural: 0, semantic: score, articleRank: 0, seedOverlap: 0 },
		})),
		poolSize: pool.length,
		truncated: pool.length > k,
		...(pool.length === 0 && { note: 'No related papers are known.' }),
	});
}

/** Papers: a handful of made-up ones. */
export function paperRoutes(service: Service): Route[] {
	const route = (on: string, work: Route['work']): Route => ({ on, step: 'papers', bucket: 'search', work });
	return [
		route(`GET ${PATH}`, ({ query }) => search(service, query)),
		route(`GET ${PATH}/:id`, ({ id, query }) => read(service, id, query)),
		route(`GET ${PATH}/:id/similar`, ({ id, query }) => similar(service, id, query)),
	];
}
