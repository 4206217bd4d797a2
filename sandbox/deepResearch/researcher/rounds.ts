import { readPage } from '../../html/pageText.ts';
import { activityLog } from './activityLog.ts';
import { subQuestions, topicOf } from './questions.ts';
import type { PageText } from '../../html/pageText.ts';
import type { ResearchRequest } from '../researchRequest.ts';
import type { ActivityLog } from './activityLog.ts';
import type { FetchText, Hit, SiteIndex } from './siteIndex.ts';

/** What the rounds of a job brought. */
export interface Gathered {
	pages: PageText[];
	course: ActivityLog;
	depth: number;
	/** The search found nothing at all for the query. */
	isOffTopic: boolean;
}

const PAGES_PER_ROUND = 4;
/** What a round is reckoned to take of the time limit, which so bounds the rounds. */
const ROUND_SECONDS = 15;
/** A page that fits the query less than this share of the best one is not worth a round of its own. */
const WORTH_READING = 0.2;

/** The new pages of a round: the best of each search in turn. */
function choose(results: readonly Hit[][], seen: ReadonlySet<string>, most: number): string[] {
	const chosen = new Set<string>();
	const longest = Math.max(0, ...results.map((hits) => hits.length));
	for (let rank = 0; rank < longest; rank += 1) {
		for (const hits of results) {
			const url = hits[rank]?.url;
			if (url && !seen.has(url) && chosen.size < most) chosen.add(url);
		}
	}
	return [...chosen];
}

/** The page that is still open and fits the query best; pages that those read link to go first. */
function nextTopic(
	ranking: readonly Hit[],
	pages: readonly PageText[],
	seen: ReadonlySet<string>,
): string | undefined {
	const best = ranking[0]?.score ?? 0;
	const open = ranking.filter(({ url, score }) => !seen.has(url) && score >= best * WORTH_READING);
	const linked = new Set(pages.flatMap(({ links }) => links));
	return (open.find(({ url }) => linked.has(url)) ?? open[0])?.title;
}

/**
 * Searches and reads in rounds until nothing worth reading is left, or depth, time limit or number
 * of URLs is used up.
 */
export async function gather(
	request: ResearchRequest,
	index: SiteIndex,
	fetchText: FetchText,
): Promise<Gathered> {
	const query = topicOf(request.query);
	const ranking = index.search(query);
	const isOffTopic = ranking.length === 0;
	const course = activityLog();
	const pages: PageText[] = [];
	const seen = new Set<string>();
	const mostRounds = Math.min(request.maxDepth, Math.max(1, request.timeLimit / ROUND_SECONDS));

	const readInto = async (urls: readonly string[], depth: number): Promise<void> => {
		const texts = await Promise.allSettled(urls.map(fetchText));
		for (const [place, text] of texts.entries()) {
			const url = urls[place] ?? '';
			if (text.status === 'rejected') {
				course.couldNotRead(url, depth);
				continue;
			}
			const page = readPage(url, text.value);
			pages.push(page);
			course.read(page, depth);
		}
	};

	// One page fewer than maxUrls: the recorded server stops before the last one (dr-06: 4 gave 3,
	// dr-08: 1 gave none).
	const mostPages = Math.floor(request.maxUrls) - 1;
	let topic: string | undefined = request.query;
	let depth = 0;
	while (topic !== undefined && depth + 1 <= mostRounds && pages.length < mostPages) {
		depth += 1;
		const questions = subQuestions(depth === 1 ? query : topic, depth);
		course.searching(topic, questions, depth);
		if (depth === 1 && request.systemPrompt) {
			course.planned(`Working under this guidance: ${request.systemPrompt}`, depth);
		}
		const results = isOffTopic ? [] : questions.map(({ search }) => index.search(search));
		const most = Math.min(PAGES_PER_ROUND, mostPages - pages.length);
		const urls = isOffTopic
			? index.pages.slice(0, most).map(({ url }) => url)
			: choose(results, seen, most);
		for (const url of urls) seen.add(url);
		course.found(urls.length, questions.length, depth);
		await readInto(urls, depth);
		topic = isOffTopic ? undefined : nextTopic(ranking, pages, seen);
		course.analyzed(
			depth,
			topic === undefined
				? 'The pages read cover the query'
				: `${pages.length} pages read; still open: ${topic}`,
		);
		course.planned(
			topic === undefined ? 'Time to write the analysis' : `Look into "${topic}" next`,
			depth,
		);
	}
	course.synthesized(Math.max(1, depth));
	return { pages, course, depth, isOffTopic };
}
