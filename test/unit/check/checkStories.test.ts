import { join } from 'node:path';
import { checkText } from '../../../nodes/research/checkText';
import type { CheckedText } from '../../../nodes/research/checkText';
import type { ResearchQuestion } from '../../../nodes/research/contract/question';
import { seededRandom } from '../../../sandbox/runtime/runtime.ts';
import { expectGoldenFile } from '../../helpers/goldenFile';
import { QUESTION, World, dataIn, modelError, stepOf, verdictsOn } from '../research/world';
import type { Script } from '../research/world';
import { LAYOUTS, checkReport } from './checkWorld';
import type { CheckOutcome } from './checkWorld';

const FILLER = Array.from({ length: 8 }, (_one, at) => `Note ${at + 1} of this page is about the harbour.`).join(
	'\n\n',
);
const A = 'https://a.example/boats';
const B = 'https://b.example/';
const PAGES: Record<string, string | Error> = {
	[A]: `# Boats\n\nAcme has 300 boats. A ticket costs 45 euros. Dogs travel free.\n\n${FILLER}`,
	[B]: `# Crew\n\nThe crew is 80 people.\n\n${FILLER}`,
};

/** Finds the words of a page that begin like a sentence. */
const FINDS: Script = {
	checkText: (request) => {
		const [lines = '', page = ''] = dataIn(request);
		const found = [...lines.matchAll(/^(\d+)\. (\w+ \w+)/gm)].flatMap(([, number, start = '']) => {
			const quote = new RegExp(`${start}[^.]*\\.`).exec(page)?.[0];
			return quote === undefined ? [] : [{ sentence: Number(number), quote }];
		});
		return JSON.stringify({ found });
	},
	judge: (request) => verdictsOn(request, (statement, passage) => passage.includes(statement)),
};

interface Story {
	text: string;
	pages?: Record<string, string | Error>;
	script?: Script;
	change?: Partial<ResearchQuestion>;
	searches?: boolean;
	/** Addresses that answer as others. */
	leadsTo?: Record<string, string>;
	partly?: string[];
}

const cites = (...texts: string[]) => `${texts.join(' ')}\n\n1. ${A}\n2. ${B}\n3. https://c.example/gone`;
const TEXT = cites(
	'Acme has 300 boats [1]. A ticket costs 46 euros [1].',
	'The crew is 80 people [2]. It is so [3]. Nobody says it.',
);

const STORIES: Record<string, Story> = {
	usual: { text: TEXT },
	'several sources': {
		text: cites(
			'Acme has 300 boats [1][2]. The crew is 80 people [1, 2]. Dogs travel free [1], and the crew is 80 people [2].',
		),
	},
	'a heading, a list, a table': {
		text: `# Acme\n\n- Acme has 300 boats (${A}).\n- [The crew is 80 people](${B})\n\n| Ticket | Source |\n|---|---|\n| A ticket costs 45 euros. | ${A} |\n\n> Dogs travel free. <${A}>`,
	},
	HTML: {
		text: `<h1>Acme</h1><p>Acme has 300 boats <a href="${A}">[1]</a>. A ticket costs 45&nbsp;euros&#33; <b>Dogs</b> travel free (<a href='${A}'>a</a>). 3 &lt; 4</p><ul><li>The crew is 80 people <a href="${B}">b</a></li></ul><table><tr><td>Acme has 300 boats.</td><td>${A}</td></tr></table><script>x</script>`,
	},
	'addresses that are not asked': {
		text: cites(
			'Acme has 300 boats (http://192.168.0.7/x). The crew is 80 people (https://b.example/?X-Amz-Signature=1). It is so (ftp://a.example/).',
		),
	},
	'excluded, and one place': { text: TEXT, change: { excludeDomains: ['b.example'], maxPages: 1 } },
	'only these': { text: TEXT, change: { includeDomains: ['b.example'] } },
	'few credits': { text: TEXT, change: { maxCredits: 1 } },
	'few tokens': { text: TEXT, change: { maxTokens: 900 } },
	'little time': { text: TEXT, change: { timeLimitMs: 4000 } },
	'pages that fail, and one that is empty': {
		text: TEXT,
		pages: { [A]: new Error('The site answered 503.'), [B]: '' },
	},
	'a start page, a log-in, a wall, a private address': {
		text: `One is so (https://x.example/a/1). Two are so (https://login.example/2). Three are so (https://wall.example/3). Four are so (https://in.example/4). Five are so (https://js.example/5).`,
		pages: {
			'https://x.example/a/1': `One is so.\n\n${FILLER}`,
			'https://login.example/2': 'Please log in to continue.',
			'https://wall.example/3': `Three are here.\n\n${FILLER}\n\nSubscribe to continue reading.`,
			'https://in.example/4': `Four are so.\n\n${FILLER}`,
			'https://js.example/5': 'You need to enable JavaScript to run this app.',
		},
		leadsTo: { 'https://x.example/a/1': 'https://x.example/', 'https://in.example/4': 'http://10.0.0.4/' },
	},
	'a PDF of which a part was read': { text: cites('Acme has 300 boats [1]. Acme sold ships [1].'), partly: [A] },
	'a long page in pieces': {
		text: cites('Acme has 300 boats [1]. Zebras swim well [1].'),
		pages: { [A]: `Acme has 300 boats.\n\n${`${FILLER}\n\n`.repeat(12)}Zebras swim well.` },
		change: { maxPieceCharacters: 3000 },
	},
	'a model that refuses, and one that says nothing': {
		text: TEXT,
		script: { checkText: (_request, count) => (count === 1 ? modelError(400, 'refused') : 'no'), fixJson: () => 'no' },
	},
	'numbers that are none': {
		text: TEXT,
		script: {
			checkText: () =>
				'{"found": [{"sentence": 0, "quote": "Acme has 300 boats."}, {"sentence": 99, "quote": "x"}, {"sentence": "[1]", "quote": "Acme has 300 boats."}, {"sentence": 1, "quote": "Not there."}, 5]}',
		},
	},
	'a judge that contradicts': {
		text: TEXT,
		script: {
			judge: ({ user }) =>
				JSON.stringify({
					verdicts: [...user.matchAll(/^(\d+)\. Statement/gm)].map(([, pair]) => ({
						pair: Number(pair),
						verdict: 'contradicted',
					})),
				}),
		},
	},
	'a judge that says nothing': { text: TEXT, script: { judge: () => '{}', fixJson: () => '{}' } },
	searches: { text: 'Dogs travel free. Cats fly to Rome. The crew is 80 people.', searches: true },
	'searches that fail': {
		text: 'Dogs travel free.',
		searches: true,
		pages: { [A]: new Error('The site answered 503.') },
	},
};

function linesOf({ sentences, sources, ...rest }: CheckedText): string[] {
	return [
		...sentences.map((one) => `- ${JSON.stringify(one)}`),
		...sources.map((one) => `+ ${JSON.stringify(one)}`),
		JSON.stringify(rest),
	];
}

async function told({
	text,
	pages = PAGES,
	script,
	change = {},
	searches,
	leadsTo = {},
	partly = [],
}: Story): Promise<string[]> {
	const world = new World(pages, { ...FINDS, ...script });
	for (const url of partly) world.partly.add(url);
	const page = world.page.bind(world);
	world.page = (url) => ({ ...page(url), url: leadsTo[url] ?? url });
	const question = { ...QUESTION, query: 'check', ...change };
	const options = searches === undefined ? {} : { searches };
	const checked = await world.clock.until(checkText(text, question, world.parts, options));
	return [...linesOf(checked), `asked ${world.requests.map(stepOf).join(', ')}; scraped ${world.scraped.join(', ')}`];
}

it('tells each story of a checked text as it did', async () => {
	const all: string[] = [];
	for (const [name, story] of Object.entries(STORIES)) all.push([`# ${name}`, ...(await told(story))].join('\n'));
	const random = seededRandom(5);
	const outcome: CheckOutcome = {
		...{ trueOnes: 0, lies: {}, through: {}, accused: [], unseenAccused: [], lost: [], open: [] },
		...{ supported: 0, tokens: 0, credits: 0 },
	};
	for (const layout of LAYOUTS) {
		const checked = await checkReport(random, layout, 'some', 'honest', outcome);
		all.push([`# a made report: ${layout}`, ...linesOf(checked)].join('\n'));
	}
	expectGoldenFile(join(__dirname, '../../golden/checkStories.txt'), `${all.join('\n\n')}\n`);
});
