import type { ClaimContext, DraftClaim } from '../claims/verifyClaims';
import type { ResearchClaim, UnprovenReason } from '../contract';
import { siteName } from '../../text/addresses';
import { cutAt } from '../../text/ends';
import { citedAddress } from '../../text/textJump';

/** A claim by the number that the model knows it by. */
export interface NumberedClaim extends ResearchClaim {
	number: number;
	/** The sub-question, counted from 1; 0 for none. */
	question: number;
	/** The directive of a link that jumps to its quote, where one is certain to (textJump.ts). */
	jump?: string;
	/** The index in the history of a statement that an earlier run has told. */
	earlier?: number;
	/** Of a sentence that says otherwise than an earlier statement: the index of that. */
	instead?: number;
	/** Whether its quote was on the page at the visit before. */
	wasThere?: true;
	/** Names the table of which its quote is a row. */
	table?: string;
	/** Where its quote stands (verifyClaims.ts). */
	context?: ClaimContext;
	/** Of a value of a row (verifyClaims.ts), and why it has no proof. */
	cell?: NonNullable<DraftClaim['cell']>;
	unproven?: UnprovenReason;
}

/** The mark after a claim's text that no quote holds. */
const NOT_VERIFIED = ' (not verified)';

/**
 * The claims as the model sees them: their texts, never their quotes or pages. The same statement on
 * several pages stands in one line.
 */
export function claimLines(claims: readonly NumberedClaim[]): string {
	const lines = new Map<string, { numbers: number[]; text: string }>();
	for (const claim of claims) {
		const key = statementKey(claim);
		const line = lines.get(key) ?? { numbers: [], text: shownText(claim) };
		line.numbers.push(claim.number);
		lines.set(key, line);
	}
	return [...lines.values()]
		.map(({ numbers, text }) => `${numbers.map((number) => `[${number}]`).join('')} ${text}`)
		.join('\n');
}

function shownText({ text, verified }: NumberedClaim): string {
	return verified ? text : text + NOT_VERIFIED;
}

/** The same for claims that say the same in the same words. */
function statementKey(claim: NumberedClaim): string {
	return shownText(claim)
		.toLowerCase()
		.replace(/[^\p{L}\p{N}]+/gu, ' ')
		.trim();
}

/** What is known of the pages that claims are from, by their addresses. */
export type PagesOfClaims = ReadonlyMap<string, { title: string; publishedAt?: string | undefined }>;

/** The day of a page, `2026-06-01`, where the page has told one. */
export function dayOfPage(source: string, pages: PagesOfClaims): string | undefined {
	return pages.get(source)?.publishedAt?.slice(0, 10);
}

/** The claims as the model sees them that writes a report: under the sites that say them, each with its day. */
export function claimsBySite(claims: readonly NumberedClaim[], pages: PagesOfClaims): string {
	const sayers = new Map<string, Set<string>>();
	for (const claim of claims) {
		const day = dayOfPage(claim.source, pages);
		const site = siteName(claim.source) + (day === undefined ? '' : `, ${day}`);
		const key = statementKey(claim);
		sayers.set(key, (sayers.get(key) ?? new Set()).add(site));
	}
	const groups = new Map<string, NumberedClaim[]>();
	for (const claim of claims) {
		const sites = [...(sayers.get(statementKey(claim)) ?? [])].join('; ');
		groups.set(sites, [...(groups.get(sites) ?? []), claim]);
	}
	return [...groups].map(([sites, own]) => `From ${sites}:\n${claimLines(own)}`).join('\n');
}

/** Longest title of a page that is shown beside its host. */
const MAX_TITLE = 150;

/** Who says a claim: the host of its page, its title and its day. A page of prices does not name its firm. */
export function speakerOf({ source }: NumberedClaim, pages: PagesOfClaims): string {
	const title = cutAt((pages.get(source)?.title ?? '').replace(/\s+/g, ' ').trim(), MAX_TITLE);
	const day = dayOfPage(source, pages);
	return [siteName(source), ...(title === '' ? [] : [`"${title}"`]), ...(day === undefined ? [] : [day])].join(', ');
}

/** The address that jumps to the quote of a claim, where one is certain to. */
export function linkOf({ source, jump, verified }: NumberedClaim): { link?: string } {
	const link = verified && jump !== undefined ? citedAddress(source, [jump]) : undefined;
	return link === undefined ? {} : { link };
}
