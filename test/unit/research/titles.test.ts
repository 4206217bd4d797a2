import { researchReply } from '../../../sandbox/model/researchReply.ts';
import type { ModelCaller } from '../../../nodes/research/model/modelCaller';
import { PROMPTS } from '../../../nodes/research/model/prompts';
import { checkReport } from '../../../nodes/research/report/checkReport';
import type { NumberedClaim } from '../../../nodes/research/report/numberedClaims';
import { showReport, SourceNumbers } from '../../../nodes/research/report/showReport';
import { claim } from './reports.ts';

/** A report of four statements in a language, with titles that are true and titles that lie. */
interface Titled {
	question: string;
	subQuestions: string[];
	claims: string[];
	true: string[];
	lies: string[];
}

const REPORTS: Titled[] = [
	{
		question: 'What does Zippo cost and what are its limits?',
		subQuestions: ['What does the Pro plan cost?', 'What are the limits of the Free plan?'],
		claims: [
			'The Pro plan costs 39 euros a month.',
			'The Pro plan includes ten seats and support by phone.',
			'The Free plan allows 500 requests a day.',
			'The Free plan keeps all files for 30 days.',
		],
		true: [
			'Pro plan',
			'Free plan',
			'Costs of the Pro plan',
			'Limits',
			'The Pro plan includes ten seats',
			'The Free plan allows 500 requests',
			'What are the limits of the Free plan?',
			'Plans',
			'Support by phone',
			'Requests a day',
			'Files',
			'Pro plan: 39 euros',
			'Seats and support',
			'500 requests a day',
		],
		lies: [
			'The Free plan was cancelled and all accounts were deleted',
			'The Pro plan is free of charge',
			'Zippo lost every file of its customers',
			'The Pro plan costs 49 euros',
			'All seats were sold to a rival',
			'Police search the offices of Zippo',
			'The Free plan allows 900 requests',
			'Support by phone ends in May',
			'Zippo is insolvent',
			'Nobody may use the Free plan any more',
			'The Pro plan never includes seats',
			'The files are sold to advertisers',
			'The Free plan keeps no files',
			'Users should leave Zippo at once',
		],
	},
	{
		question: 'Was kostet Zippo und welche Grenzen gibt es?',
		subQuestions: ['Was kostet der Pro-Tarif?', 'Welche Grenzen hat der freie Tarif?'],
		claims: [
			'Der Pro-Tarif kostet 39 Euro im Monat.',
			'Der Pro-Tarif enthält zehn Plätze und Hilfe am Telefon.',
			'Der freie Tarif erlaubt 500 Anfragen am Tag.',
			'Der freie Tarif behält alle Dateien 30 Tage lang.',
		],
		true: [
			'Pro-Tarif',
			'Freier Tarif',
			'Kosten',
			'Grenzen',
			'Der Pro-Tarif enthält zehn Plätze',
			'Der freie Tarif erlaubt 500 Anfragen',
			'Welche Grenzen hat der freie Tarif?',
			'Tarife',
			'Hilfe am Telefon',
			'Anfragen am Tag',
			'Dateien',
			'Pro-Tarif: 39 Euro',
			'Plätze und Hilfe',
		],
		lies: [
			'Der freie Tarif wurde gestrichen, alle Konten sind gelöscht',
			'Der Pro-Tarif kostet nichts',
			'Zippo hat alle Kundendaten verloren',
			'Der Pro-Tarif kostet 49 Euro',
			'Die Polizei durchsucht Büros von Zippo',
			'Der freie Tarif erlaubt 900 Anfragen',
			'Die Hilfe am Telefon endet im Mai',
			'Zippo meldet Insolvenz an',
			'Niemand darf den freien Tarif nutzen',
			'Der Pro-Tarif enthält keine Plätze',
			'Dateien werden an Werber verkauft',
			'Der freie Tarif behält keine Dateien',
			'Kunden sollten Zippo sofort verlassen',
		],
	},
	{
		question: 'Combien coûte Zippo et quelles sont ses limites ?',
		subQuestions: ['Combien coûte le forfait Pro ?', 'Quelles sont les limites du forfait gratuit ?'],
		claims: [
			'Le forfait Pro coûte 39 euros par mois.',
			'Le forfait Pro comprend dix places et une aide au téléphone.',
			'Le forfait gratuit permet 500 requêtes par jour.',
			'Le forfait gratuit garde tous les fichiers pendant 30 jours.',
		],
		true: [
			'Forfait Pro',
			'Forfait gratuit',
			'Coûts',
			'Limites',
			'Le forfait Pro comprend dix places',
			'Le forfait gratuit permet 500 requêtes',
			'Quelles sont les limites du forfait gratuit ?',
			'Forfaits',
			'Aide au téléphone',
			'Requêtes par jour',
			'Fichiers',
			'Forfait Pro : 39 euros',
			'Places et aide',
		],
		lies: [
			'Le forfait gratuit a été supprimé et tous les comptes effacés',
			'Le forfait Pro est offert à tous',
			'Zippo a perdu les données de ses clients',
			'Le forfait Pro coûte 49 euros',
			'La police fouille les bureaux de Zippo',
			'Le forfait gratuit permet 900 requêtes',
			'Une aide au téléphone qui disparaît en mai',
			'Zippo est en faillite',
			'Personne ne peut plus utiliser le forfait gratuit',
			'Le forfait Pro ne comprend jamais de places',
			'Des fichiers vendus à la publicité',
			'Le forfait gratuit ne garde jamais les fichiers',
			'Il faut quitter Zippo tout de suite',
		],
	},
];

/** The places where a title may stand. */
const PLACES: Array<(title: string, first: string) => string> = [
	(title) => `## ${title}\n`,
	(title) => `**${title}**\n`,
	(title) => `${title}:\n`,
	(title, first) => `| ${title} | |\n| --- | --- |\n| ${first} | [1] |\n`,
];

/** The judge of the sandbox, which was not made for these titles; and what it was asked. */
function sandboxJudge() {
	const asked: Array<{ system: string; user: string }> = [];
	const model = {
		asDataEach: (texts: readonly string[]) => texts.map((text) => `=====abc=====\n${text}\n=====abc=====`).join('\n'),
		askFor: async (task: { system: string; user: string }, read: (text: string) => unknown) => {
			asked.push(task);
			const messages = [
				{ role: 'system' as const, content: task.system },
				{ role: 'user' as const, content: task.user },
			];
			return await Promise.resolve(read(researchReply(messages) ?? ''));
		},
	} as unknown as ModelCaller;
	return { model, asked };
}

async function shownWith(
	{ question, subQuestions, claims: texts }: Titled,
	title: string,
	place: number,
	judge: ModelCaller | undefined,
): Promise<string> {
	const claims = new Map<number, NumberedClaim>(
		texts.map((text, at) => [at + 1, claim(at + 1, text, { question: at < 2 ? 1 : 2 })]),
	);
	const said = texts.map((text, at) => `- In short: ${text.slice(0, -1)} [${at + 1}].`).join('\n');
	const report = `${PLACES[place % PLACES.length]?.(title, texts[0] ?? '') ?? ''}\n${said}`;
	const checked = await checkReport(report, { claims, pages: new Map(), context: [question], subQuestions, judge });
	return showReport(checked, claims, new SourceNumbers(), 'leaveOut');
}

/** Titles that are shown, of all of a kind. */
async function shownOf(kind: 'true' | 'lies', isJudged: boolean): Promise<string[]> {
	const { model } = sandboxJudge();
	const shown: string[] = [];
	for (const report of REPORTS) {
		for (const [at, title] of report[kind].entries()) {
			const text = await shownWith(report, title, at, isJudged ? model : undefined);
			expect(text).toContain(report.claims[3]?.slice(0, -1));
			if (text.includes(title)) shown.push(title);
		}
	}
	return shown;
}

it('lets out no title that what is below it does not say, and loses none that it does', async () => {
	expect(REPORTS.flatMap(({ lies }) => lies).length).toBeGreaterThanOrEqual(40);
	expect(REPORTS.flatMap((report) => report.true).length).toBeGreaterThanOrEqual(40);
	expect(await shownOf('lies', true)).toEqual([]);
	expect(await shownOf('true', true)).toEqual(REPORTS.flatMap((report) => report.true));
});

it('shows no title of the model that nobody has judged', async () => {
	expect(await shownOf('lies', false)).toEqual([]);
});

it('makes no call more for titles, and judges them in the calls for sentences', async () => {
	const [report] = REPORTS;
	if (!report) throw new Error('There is none.');
	const { model, asked } = sandboxJudge();
	await shownWith(report, 'Nobody may use the Free plan any more', 0, model);
	expect(asked).toHaveLength(1);
	expect(asked[0]?.system).toContain(PROMPTS.judgeTitles);
	expect(asked[0]?.user.match(/Heading: /g)).toHaveLength(1);
});
