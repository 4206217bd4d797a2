import { rankByWords } from '../text/rankSentences.ts';

/** A paper. All are made up, as are their authors and figures. */
export interface Paper {
	paperId: string;
	ids: Record<string, string[]>;
	title: string;
	abstract: string;
	authors: string;
	categories: string[];
	createdDate: string;
	updateDate: string;
	passages: string[];
}

function paper(
	number: number,
	title: string,
	abstract: string,
	more: Pick<Paper, 'authors' | 'categories' | 'createdDate' | 'passages'>,
): Paper {
	const arxiv = `2601.${String(number).padStart(5, '0')}`;
	return {
		paperId: `arxiv:${arxiv}`,
		ids: { arxiv: [arxiv], doi: [`10.5555/sandbox.${number}`] },
		title,
		abstract,
		updateDate: more.createdDate,
		...more,
	};
}

const PAPERS: readonly Paper[] = [
	paper(
		1,
		'Cost per stop of cargo bikes and vans in dense districts',
		'We compare the cost per stop of cargo bikes and electric vans in four made-up districts and find that bikes are cheaper below 40 kilograms per stop.',
		{
			authors: 'Ada Lindqvist, Bram Okafor',
			categories: ['econ.GN', 'cs.CY'],
			createdDate: '2025-02-11',
			passages: [
				'Cost per stop falls with stop density: bikes reach 1.35 euros at 60 stops per square kilometre.',
				'Vans keep their lead where parcels weigh more than 40 kilograms on average.',
			],
		},
	),
	paper(
		2,
		'Range of bike batteries in winter deliveries',
		'A model of battery range at low temperatures, with data of a winter of deliveries by cargo bikes.',
		{
			authors: 'Chiara Mbeki',
			categories: ['physics.app-ph'],
			createdDate: '2025-05-03',
			passages: ['At minus 10 degrees the range falls to 71 percent of its summer value.'],
		},
	),
	paper(
		3,
		'Where to put micro hubs: a location model',
		'We place micro hubs for cargo bikes by a location model with rents, distances and reloads.',
		{
			authors: 'Dov Arslan, Ada Lindqvist',
			categories: ['math.OC'],
			createdDate: '2025-06-20',
			passages: [
				'Each kilometre between hub and first stop costs a rider 8 minutes a day.',
				'Twelve bikes need 150 to 200 square metres.',
			],
		},
	),
];

/** A paper by its canonical id or any other, such as doi:… */
export function findPaper(id: string): Paper | undefined {
	const hasId = ([space, ids]: [string, string[]]) => ids.some((own) => id === own || id === `${space}:${own}`);
	return PAPERS.find((one) => one.paperId === id || Object.entries(one.ids).some(hasId));
}

/** The papers with words of the query, best first, with a score. */
export function searchPapers(query: string): Array<{ one: Paper; score: number }> {
	return rankByWords(query, PAPERS, ({ title, abstract }) => ({ title, texts: [abstract] }));
}

/** The paper as a hit (shape paperResult). */
export function paperHit(found: Paper, score: number): Record<string, unknown> {
	const { paperId, ids, title, abstract } = found;
	return { paperId, primaryId: paperId, ids, title, abstract, score };
}

/** The paper's facts (shape paperMetadata). */
export function paperFacts(found: Paper): Record<string, unknown> {
	const { paperId, ids, title, abstract, authors, categories, createdDate, updateDate } = found;
	return { paperId, ids, title, abstract, authors, categories, createdDate, updateDate };
}
