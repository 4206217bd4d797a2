import { withoutJumps } from './world.ts';
import { checkReport } from '../../../nodes/research/report/checkReport';
import type { ModelCaller } from '../../../nodes/research/model/modelCaller';
import type { NumberedClaim } from '../../../nodes/research/report/numberedClaims';
import { showReport, SourceNumbers } from '../../../nodes/research/report/showReport';

export { withoutJumps };

/** A claim that stands on its own page. */
export function claim(number: number, quote: string, change: Partial<NumberedClaim> = {}): NumberedClaim {
	const source = `https://site${number}.example/page`;
	return { number, text: quote, quote, source, verified: true, question: 1, ...change };
}

/** Claims that a report may cite. */
export const CLAIMS = new Map(
	[
		claim(1, 'Acme was founded in 1990.'),
		claim(2, 'Acme has 1,200 employees.'),
		claim(3, 'Dr. Doe runs acme.example since 3 May 2001.'),
		claim(4, 'Acme may have 9 boats.', { quote: 'no such quote', verified: false }),
	].map((one) => [one.number, one]),
);

type Judge = (statement: string, passage: string) => boolean;

/** A report that is checked by code, and by a model that judges pairs like this. */
export async function checkedBy(report: string, claims: ReadonlyMap<number, NumberedClaim>, isSupported: Judge) {
	const model = {
		asDataEach: (texts: readonly string[]) => texts.join('\n'),
		askFor: async ({ user }: { user: string }, read: (text: string) => unknown) => {
			const pairs = user.matchAll(/^(\d+)\. (?:Statement|Heading): (.*)(?:\nPage: .*)?\nPassage: (.*)$/gm);
			const verdicts = [...pairs].map(([, pair, statement = '', passage = '']) => ({
				pair,
				verdict: isSupported(statement, passage) ? 'supported' : 'not stated',
			}));
			return await Promise.resolve(read(JSON.stringify({ verdicts })));
		},
	} as unknown as ModelCaller;
	return await checkReport(report, { claims, pages: new Map(), context: [], subQuestions: [], judge: model });
}

/** A judge that finds supported what has nearly all of its words in the passage. */
export function judgedByWords(statement: string, passage: string): boolean {
	const words = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
	const held = new Set(words(passage));
	const own = words(statement);
	return own.filter((word) => held.has(word)).length >= own.length * 0.8;
}

/** A report that is checked by code, and by a model that finds these statements unsupported. */
export async function checked(report: string, unsupported: readonly string[] = []) {
	return await checkedBy(report, CLAIMS, (statement) => !unsupported.some((one) => statement.includes(one)));
}

/** A report as the user gets it. */
export async function shown(
	report: string,
	choice: 'leaveOut' | 'mark' = 'leaveOut',
	unsupported: readonly string[] = [],
): Promise<string> {
	return withoutJumps(showReport(await checked(report, unsupported), CLAIMS, new SourceNumbers(), choice));
}

/** A report without the links that code has made. */
export function withoutLinks(report: string): string {
	return report.replace(/(?<![^\s])\[\d+\]\(https:\/\/site\d\.example\/page\)/g, '');
}
