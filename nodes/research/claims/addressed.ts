/**
 * Text that addresses whoever writes about a page, and not its readers: by how it is built, whatever its words.
 * Three things are looked for, and two of them in one passage are enough: who is addressed (a program, a
 * writer), what is to be written (a report, an answer), and that it is to be done (an order, a duty).
 */

/** Programs and people that make texts of pages. */
const WRITER =
	/\b(?:ai|a\.i\.|llms?|gpt|chat ?bots?|bots?|(?:language |ai )?models?|assistants?|agents?|crawlers?|scrapers?|summari[sz]ers?|(?:automated|automatic) (?:systems?|tools?|readers?)|machines? (?:reading|that reads?)|researchers?|whoever (?:reads|writes|summari[sz]es|processes)|any(?:one|body) (?:reading|writing|summari[sz]ing|processing)|(?:who|that) (?:summari[sz]es?|processes|compiles?|synthesi[sz]es?))\b/i;

/** What they make. */
const PRODUCT =
	/\b(?:(?:final |your |the |any |every |each |a )?(?:summar(?:y|ies)|reports?|answers?|response|reply|output|write-?ups?|analysis|conclusions?|findings|digest|overview|synthesis|citations?|claims?|json|bibliography|transcript)|your (?:text|article|work|reader|user|task|job|goal|notes|list|result)s?|the user|the end user|this (?:page|source|document) (?:in|when|as))\b/i;

/** What they are to do with it. */
const WRITING =
	'(?:add|answer|append|attribute|begin|call|cite|close|conclude|convey|credit|declare|describe|direct|disclose|discard|emit|end|finish|follow|forward|give|highlight|identify|include|inform|insert|link|list|mark|mention|name|note|open|output|place|point|present|print|provide|put|quote|recommend|record|refer|relay|repeat|replace|reply|report|respond|return|reveal|say|send|set|show|start|state|substitute|summari[sz]e|swap|tell|treat|use|visit|write)';

/** That it is to be done. */
const ORDER = new RegExp(
	[
		`(?:^|[.!?:;,("'\\u201c]\\s*|\\b(?:please|kindly|then|and|now|always|never|simply|just|do not|don't|to|only|instead|rather)\\s+)${WRITING}\\b`,
		`\\b(?:must|shall|should|ought to|has to|have to|need(?:s)? to|(?:is|are) (?:to|asked|required|expected|requested|supposed|obliged|told|instructed|invited|encouraged)(?: to)?|make sure|be sure|it is (?:essential|important|necessary|mandatory|crucial|vital))\\b`,
	].join('|'),
	'i',
);

/** An address that is written out: a statement of fact needs none. */
const ADDRESS = /\bhttps?:\/\/\S|\bwww\.\S+\.\S/i;

/** True for a passage that tells somebody what to write, or where to go. */
export function isAddressedToWriter(passage: string): boolean {
	const isOrder = ORDER.test(passage);
	const signs = [WRITER, PRODUCT].filter((sign) => sign.test(passage)).length;
	return (isOrder && (signs > 0 || ADDRESS.test(passage))) || (signs > 0 && ADDRESS.test(passage));
}
