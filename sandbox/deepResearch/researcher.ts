import { Agent, request as httpRequest } from 'undici';
import { fillSchema } from '../text/fillSchema.ts';
import { pageEngine, rankSentences, termsOf } from '../text/rankSentences.ts';
import type { Finding } from '../text/rankSentences.ts';
import { PUBLIC_SITE, readSitemap } from '../web/addresses.ts';
import type { OwnSite } from '../web/addresses.ts';
import type { ResearchResult, ResearchRequest, ResearchStep, Activity, ActivityType } from './researchJobs.ts';
import { readPage } from '../html/cleanHtml.ts';
import type { PageText } from '../html/cleanHtml.ts';

/** Does the work of deep research jobs over one site. */
interface Researcher {
	/** Rejects when the site cannot be read. */
	research(request: ResearchRequest): Promise<ResearchResult>;
	/** Ends what is under way; research that is cut off rejects. */
	stop(): Promise<void>;
}

const CONNECTIONS = 8;

/**
 * Research by search and by picking sentences: no language model. The index is built by fetching the
 * site's pages at the first job; they are known by their public addresses, as everywhere.
 */
export function researcher(site: OwnSite): Researcher {
	const dispatcher = new Agent({ connections: CONNECTIONS });
	let index: Promise<SiteIndex> | undefined;

	const fetchText = async (url: string): Promise<string> => {
		const { url: place, headers } = site.locate(url);
		const { statusCode, body } = await httpRequest(place, { dispatcher, headers });
		const text = await body.text();
		if (statusCode !== 200) throw new Error(`${url} answered ${statusCode}`);
		return text;
	};

	const siteIndex = (): Promise<SiteIndex> => {
		index ??= buildSiteIndex(PUBLIC_SITE, fetchText).catch((error: unknown) => {
			// The next job may have better luck.
			index = undefined;
			throw error;
		});
		return index;
	};

	const research = async (request: ResearchRequest): Promise<ResearchResult> => {
		const { pages, course, isOffTopic } = await gather(request, await siteIndex(), fetchText);
		const { analysisPrompt = '', query, formats, jsonOptions } = request;
		const findings = rankSentences(pages, termsOf(`${query} ${analysisPrompt} ${jsonOptions?.prompt ?? ''}`));
		const wantsJson = formats.includes('json');
		const wantsText = formats.includes('markdown');
		return {
			steps: course.steps,
			finalAnalysis: wantsText ? writeAnalysis(request, pages, findings, isOffTopic) : '',
			json: wantsJson ? fillSchema(jsonOptions?.schema, findings) : null,
		};
	};

	return { research, stop: () => dispatcher.destroy() };
}

/** What the rounds of a job brought. */
interface Gathered {
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
function nextTopic(ranking: readonly Hit[], pages: readonly PageText[], seen: ReadonlySet<string>): string | undefined {
	const best = ranking[0]?.score ?? 0;
	const open = ranking.filter(({ url, score }) => !seen.has(url) && score >= best * WORTH_READING);
	const linked = new Set(pages.flatMap(({ links }) => links));
	return (open.find(({ url }) => linked.has(url)) ?? open[0])?.title;
}

/**
 * Searches and reads in rounds until nothing worth reading is left, or depth, time limit or number
 * of URLs is used up.
 */
async function gather(request: ResearchRequest, index: SiteIndex, fetchText: FetchText): Promise<Gathered> {
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
		const urls = isOffTopic ? index.pages.slice(0, most).map(({ url }) => url) : choose(results, seen, most);
		for (const url of urls) seen.add(url);
		course.found(urls.length, questions.length, depth);
		await readInto(urls, depth);
		topic = isOffTopic ? undefined : nextTopic(ranking, pages, seen);
		course.analyzed(
			depth,
			topic === undefined ? 'The pages read cover the query' : `${pages.length} pages read; still open: ${topic}`,
		);
		course.planned(topic === undefined ? 'Time to write the analysis' : `Look into "${topic}" next`, depth);
	}
	course.synthesized(Math.max(1, depth));
	return { pages, course, depth, isOffTopic };
}

/** A search to make, and why. */
interface SubQuestion {
	search: string;
	goal: string;
}

/** The query as it is searched for: without the sandbox's markers, and with something to look for in any case. */
function topicOf(query: string): string {
	return (
		query
			.replace(/\[[^\]]*\]/g, ' ')
			.replace(/\s+/g, ' ')
			.trim() || query
	);
}

/**
 * The searches of one round. The first round checks the topic itself, later rounds at what is still
 * open. Wording of the goals as in recordings dr-03 and dr-04.
 */
function subQuestions(topic: string, depth: number): SubQuestion[] {
	const search = depth === 1 ? topic : `details of ${topic}`;
	return [
		{ search, goal: `Get an overview of ${topic}` },
		{ search: `${search} costs`, goal: 'Find typical costs' },
		{ search: `${search} drawbacks`, goal: 'Find known drawbacks' },
	];
}

const STEPS: readonly ResearchStep[] = [
	{
		activity: {
			type: 'search',
			status: 'complete',
			message: 'Found 1 new relevant results',
			depth: 1,
		},
	},
	{
		source: {
			url: 'http://site.example/light',
			title: 'Light work',
			description: 'Stands for a page in load tests.',
			icon: '',
		},
	},
	{ activity: { type: 'synthesis', status: 'complete', message: 'Research completed', depth: 1 } },
];

/** A small made-up record without reading a page: only for load tests, where the work itself would be the load. */
export function lightResult(request: ResearchRequest): ResearchResult {
	return {
		steps: STEPS,
		finalAnalysis: `# ${request.query}\n\nMade up for a load test [1](http://site.example/light).\n`,
		json: request.formats.includes('json') ? {} : null,
	};
}

/** Fetches the text behind a URL. Rejects for an answer that is no 200. */
type FetchText = (url: string) => Promise<string>;

/** A page the search found. */
interface Hit {
	url: string;
	title: string;
	score: number;
}

/** A search engine over the site. */
interface SiteIndex {
	/** Best first; empty where nothing matches. */
	search(query: string): Hit[];
	/** All pages in the order of the sitemap. */
	pages: ReadonlyArray<{ url: string; title: string }>;
}

/** A word on more than this share of the pages says nothing about which of them fits: the site's own subject. */
const EVERYWHERE_SHARE = 0.7;

/** Reads the site's map, fetches every page on it and builds the index. */
async function buildSiteIndex(siteUrl: string, fetchText: FetchText): Promise<SiteIndex> {
	const { urls } = readSitemap(await fetchText(`${siteUrl}/sitemap.xml`));
	const pages = await Promise.all(urls.map(async (url) => readPage(url, await fetchText(url))));
	const engine = pageEngine();
	engine.addAll(
		pages.map(({ url, title, description, sentences }) => ({
			url,
			title,
			description,
			text: sentences.join(' '),
		})),
	);
	const pagesHolding = new Map<string, number>();
	for (const { title, description, sentences } of pages) {
		for (const term of new Set(termsOf([title, description, ...sentences].join(' ')))) {
			pagesHolding.set(term, (pagesHolding.get(term) ?? 0) + 1);
		}
	}
	const isEverywhere = (term: string): boolean => (pagesHolding.get(term) ?? 0) > pages.length * EVERYWHERE_SHARE;
	/** The words of the query that tell pages apart; all of them where none does. */
	const telling = (query: string): string => {
		const terms = termsOf(query);
		const rare = terms.filter((term) => !isEverywhere(term));
		return (rare.length > 0 ? rare : terms).join(' ');
	};
	const titles = new Map(pages.map(({ url, title }) => [url, title]));
	return {
		pages: pages.map(({ url, title }) => ({ url, title })),
		search: (query) =>
			engine.search(telling(query)).map(({ id, score }) => {
				const url = String(id);
				return { url, title: titles.get(url) ?? url, score };
			}),
	};
}

const SUMMARY_SENTENCES = 3;
const SENTENCES_PER_SOURCE = 3;
/** A sentence that fits less than this share of the best one is left out. */
const WORTH_QUOTING = 0.3;

const NOTE =
	'*This report was put together by the sandbox from sentences picked out of its own sample pages. No language model wrote it or checked it.*';

function cited({ text, sourceNumber, url }: Finding): string {
	return `${text} [${sourceNumber}](${url})`;
}

function findingsByPage(pages: readonly PageText[], findings: readonly Finding[]): string[] {
	const leastScore = (findings[0]?.score ?? 0) * WORTH_QUOTING;
	return pages.flatMap((page) => {
		const own = findings.filter(({ url, score }) => url === page.url && score > 0 && score >= leastScore);
		if (own.length === 0) return [];
		const bullets = own.slice(0, SENTENCES_PER_SOURCE).map((finding) => `- ${cited(finding)}`);
		return [`### ${page.title}`, bullets.join('\n')];
	});
}

/**
 * The report in Markdown: headings as in recording dr-04, each sentence with the source it comes from.
 * `isOffTopic`: the search found nothing, so the pages were read without hope.
 */
function writeAnalysis(
	request: ResearchRequest,
	pages: readonly PageText[],
	findings: readonly Finding[],
	isOffTopic: boolean,
): string {
	const best = findings.filter(({ score }) => score > 0 || isOffTopic);
	const summary = best.slice(0, SUMMARY_SENTENCES).map(cited).join(' ');
	const last = best.find(({ sourceNumber }) => sourceNumber !== best[0]?.sourceNumber) ?? best[0];
	const byPage = findingsByPage(pages, findings);
	const parts = [
		`# ${request.query}: what the sources say`,
		'## Summary',
		...(isOffTopic
			? ['The sandbox only has pages about cargo bikes in city deliveries, and none of them answers this query.']
			: []),
		summary || 'The pages say nothing on this.',
		'## Findings',
		...(byPage.length > 0 ? byPage : ['- (nothing found)']),
		'## Conclusion',
		[
			`${pages.length} ${pages.length === 1 ? 'page was' : 'pages were'} read.`,
			...(last && !isOffTopic ? [`What stands out next to the summary: ${cited(last)}`] : []),
		].join(' '),
		...(request.analysisPrompt ? [`Focus asked for: ${request.analysisPrompt}`] : []),
		...(request.systemPrompt ? [`Guidance given: ${request.systemPrompt}`] : []),
		NOTE,
	];
	return `${parts.join('\n\n')}\n`;
}

/** Notes what a job does, in the words of recordings dr-02 to dr-04. */
interface ActivityLog {
	steps: ResearchStep[];
	planned(topic: string, depth: number): void;
	searching(topic: string, questions: readonly SubQuestion[], depth: number): void;
	found(count: number, questions: number, depth: number): void;
	couldNotRead(url: string, depth: number): void;
	read(page: PageText, depth: number): void;
	analyzed(depth: number, remark: string): void;
	synthesized(depth: number): void;
}

/** See `ActivityLog`. */
function activityLog(): ActivityLog {
	const steps: ResearchStep[] = [];
	const note = (type: ActivityType, status: Activity['status'], message: string, depth: number): void =>
		void steps.push({ activity: { type, status, message, depth } });
	return {
		steps,
		planned: (message, depth) => note('thought', 'complete', message, depth),
		searching(topic, questions, depth) {
			note('search', 'processing', `Generating deeper search queries for "${topic}"`, depth);
			note('search', 'processing', `Starting ${questions.length} parallel searches for "${topic}"`, depth);
			for (const { search, goal } of questions) {
				note('search', 'processing', `Searching for "${search}" - Goal: ${goal}`, depth);
			}
		},
		found(count, questions, depth) {
			const message = `Found ${count} new relevant results across ${questions} parallel queries`;
			note('search', 'complete', message, depth);
		},
		couldNotRead: (url, depth) => note('extract', 'error', `Could not read ${url}`, depth),
		read({ url, title, description, icon }, depth) {
			steps.push({ source: { url, title, description, icon } });
			note('extract', 'complete', `Read "${title}"`, depth);
		},
		analyzed(depth, remark) {
			note('analyze', 'processing', 'Analyzing findings and planning next steps', depth);
			note('reasoning', 'complete', remark, depth);
			note('analyze', 'complete', 'Analyzed findings', depth);
		},
		synthesized(depth) {
			note('synthesis', 'processing', 'Preparing final analysis', depth);
			note('synthesis', 'complete', 'Research completed', depth);
		},
	};
}
