import type { ClaimContext, DraftClaim } from '../claims/verifyClaims';
import type { ResearchClaim, UnprovenReason } from '../contract/result';
import { siteName } from '../../text/addresses';
import { count } from '../../text/amounts';
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

/** A quote of so many letters and digits that stands on two sites is one text, which one of them has from the other. */
const COPIED_CHARACTERS = 60;

/** The same for claims whose words are from one text: of a short quote, of one site. */
function originOf({ quote, source }: NumberedClaim): string {
	const plain = quote.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
	return plain.length < COPIED_CHARACTERS ? siteName(source) : plain;
}

/** Who says each statement: the claims that say it in the same words, by the texts that they are from. */
function sayersOf(claims: readonly NumberedClaim[]): Map<string, Map<string, NumberedClaim[]>> {
	const sayers = new Map<string, Map<string, NumberedClaim[]>>();
	for (const claim of claims) {
		const [key, origin] = [statementKey(claim), originOf(claim)];
		const origins = sayers.get(key) ?? new Map<string, NumberedClaim[]>();
		sayers.set(key, origins);
		origins.set(origin, [...(origins.get(origin) ?? []), claim]);
	}
	return sayers;
}

/**
 * The claims as the model sees them that writes a report: under the sites that say them, each with its day. Of several
 * sites with the same text the first is named.
 */
export function claimsBySite(claims: readonly NumberedClaim[], pages: PagesOfClaims): string {
	const sayers = sayersOf(claims);
	const nameOf = (own: readonly NumberedClaim[]) => {
		const names = own.map(({ source }) => {
			const day = dayOfPage(source, pages);
			return siteName(source) + (day === undefined ? '' : `, ${day}`);
		});
		const copies = new Set(own.map(({ source }) => siteName(source))).size - 1;
		return `${names[0] ?? ''}${copies > 0 ? ` (copied by ${count(copies, 'other site')})` : ''}`;
	};
	const groups = new Map<string, NumberedClaim[]>();
	for (const claim of claims) {
		const origins = [...(sayers.get(statementKey(claim))?.values() ?? [])];
		const sites = [...new Set(origins.map(nameOf))].join('; ');
		groups.set(sites, [...(groups.get(sites) ?? []), claim]);
	}
	return [...groups].map(([sites, own]) => `From ${sites}:\n${claimLines(own)}`).join('\n');
}

/** For each page, on how many other sites something of what it says is said independently of it. */
export function alsoOnOf(claims: readonly NumberedClaim[]): ReadonlyMap<string, number> {
	const others = new Map<string, Set<string>>();
	for (const origins of sayersOf(claims.filter(({ verified }) => verified)).values()) {
		for (const [origin, own] of origins) {
			const elsewhere = [...origins].flatMap(([other, [first]]) =>
				other === origin || !first ? [] : [siteName(first.source)],
			);
			for (const { source } of own) {
				const known = others.get(source) ?? new Set<string>();
				others.set(source, known);
				for (const site of elsewhere) if (site !== siteName(source)) known.add(site);
			}
		}
	}
	return new Map([...others].map(([source, sites]) => [source, sites.size]));
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
