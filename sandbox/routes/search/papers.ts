import { z } from 'zod/v4';
import { jsonAnswer, badSearch, refusal } from '../../http/answer.ts';
import type { Answer } from '../../http/answer.ts';
import { read } from '../../requests/answerRequest.ts';
import type { Route } from '../../requests/routes.ts';
import { findPaper, paperFacts, paperHit, searchPapers } from '../../search/papers.ts';
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

function search(query: unknown, service: Service): Answer {
	const { query: words, k } = read(service, query, searchQuery, badSearch);
	const found = searchPapers(words).slice(0, k);
	return jsonAnswer(200, { success: true, results: found.map(({ one, score }) => paperHit(one, score)) });
}

function paper(id: string, query: unknown, service: Service): Answer {
	const { query: question, k } = read(service, query, paperQuery, badSearch);
	const found = findPaper(id);
	if (!found) return refusal(404, 'Paper not found');
	if (question === undefined) return jsonAnswer(200, { success: true, paper: paperFacts(found) });
	const { paperId, abstract, passages } = found;
	const texts = [abstract, ...passages].slice(0, k);
	const scored = texts.map((text, index) => ({ text, score: 1 / (index + 1) }));
	return jsonAnswer(200, { success: true, paperId, query: question, passages: scored });
}

function similar(id: string, query: unknown, service: Service): Answer {
	const { intent, k } = read(service, query, similarQuery, badSearch);
	const seed = findPaper(id);
	if (!seed) return refusal(404, 'Paper not found');
	const found = searchPapers(`${intent} ${seed.title}`).filter(({ one }) => one !== seed);
	const results = found.slice(0, k).map(({ one, score }) => ({
		...paperHit(one, score),
		signals: { structural: 0, semantic: score, articleRank: 0, seedOverlap: 0 },
	}));
	return jsonAnswer(200, { success: true, results, poolSize: found.length, truncated: found.length > k });
}

/** Papers: a handful of made-up ones. */
export function paperRoutes(service: Service): Route[] {
	const route = (on: string, work: Route['work']): Route => ({ on, step: 'papers', bucket: 'search', work });
	return [
		route(`GET ${PATH}`, ({ query }) => search(query, service)),
		route(`GET ${PATH}/:id`, ({ id, query }) => paper(id, query, service)),
		route(`GET ${PATH}/:id/similar`, ({ id, query }) => similar(id, query, service)),
	];
}
