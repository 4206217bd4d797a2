import { checkReport } from '../../../nodes/research/report/checkReport';
import type { NumberedClaim } from '../../../nodes/research/report/numberedClaims';
import { showReport, SourceNumbers } from '../../../nodes/research/report/showReport';

/** A claim that stands on its own page. */
export function claim(
	number: number,
	quote: string,
	change: Partial<NumberedClaim> = {},
): NumberedClaim {
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

/** A report as the user gets it. */
export function shown(report: string, choice: 'leaveOut' | 'mark' = 'leaveOut'): string {
	return showReport(checkReport(report, CLAIMS), CLAIMS, new SourceNumbers(), choice);
}

/** A report without the links that code has made. */
export function withoutLinks(report: string): string {
	return report.replace(/(?<![^\s])\[\d+\]\(https:\/\/site\d\.example\/page\)/g, '');
}
