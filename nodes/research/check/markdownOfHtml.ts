/** Elements of which nothing is shown. */
const HIDDEN = new Set(['script', 'style', 'head', 'template', 'noscript', 'svg', 'title']);

/** Elements that begin a paragraph of their own. */
const BLOCKS = new Set(
	'p div section article ul ol table tbody thead blockquote header footer main pre hr h1 h2 h3 h4 h5 h6'.split(' '),
);

const NAMED: Readonly<Record<string, string>> = {
	amp: '&',
	lt: '<',
	gt: '>',
	quot: '"',
	apos: "'",
	nbsp: ' ',
	ndash: '–',
	mdash: '—',
	hellip: '…',
	euro: '€',
	auml: 'ä',
	ouml: 'ö',
	uuml: 'ü',
	Auml: 'Ä',
	Ouml: 'Ö',
	Uuml: 'Ü',
	szlig: 'ß',
	eacute: 'é',
	egrave: 'è',
	agrave: 'à',
	ccedil: 'ç',
	ldquo: '“',
	rdquo: '”',
	rsquo: '’',
	lsquo: '‘',
};

function decoded(text: string): string {
	return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,8}));/gi, (whole: string, dec, hex, name) => {
		if (name !== undefined) return NAMED[String(name)] ?? whole;
		const code = dec === undefined ? Number.parseInt(String(hex), 16) : Number(dec);
		return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '';
	});
}

/** Longest tag that is read as one. */
const MAX_TAG = 4000;

const TAG = /^<(\/?)([a-z][a-z0-9]{0,15})\b/i;
const HREF = /\shref\s{0,3}=\s{0,3}(?:"([^"]{0,3000})"|'([^']{0,3000})'|([^\s"'>]{1,3000}))/i;

function hrefOf(tag: string): string {
	const [, double, single, bare] = HREF.exec(tag) ?? [];
	const address = decoded(double ?? single ?? bare ?? '').trim();
	if (!/^https?:/i.test(address)) return '';
	return address
		.replace(/\(/g, '%28')
		.replace(/\)/g, '%29')
		.replace(/[<>\s]/g, '');
}

/** What a tag is in Markdown; of the beginning of a link nothing, since its words come first. */
function markOf(name: string, isEnd: boolean): string {
	if (/^h[1-6]$/.test(name)) return isEnd ? '\n\n' : `\n\n${'#'.repeat(Number(name.charAt(1)))} `;
	if (name === 'li') return isEnd ? '' : '\n- ';
	if (name === 'td' || name === 'th') return isEnd ? '' : ' | ';
	if (name === 'tr') return isEnd ? ' |\n' : '\n';
	if (name === 'br') return '\n';
	if (name === 'sup') return isEnd ? ']' : '[';
	return BLOCKS.has(name) ? '\n\n' : '';
}

/**
 * What a page of HTML shows, as Markdown, as far as sentences and their links need it: headings, paragraphs, lists, rows and
 * links. It is the text of a stranger: nothing of it is run or fetched, and it is gone through once.
 */
export function markdownOfHtml(html: string): string {
	const parts: string[] = [];
	let link: { at: number; address: string } | undefined;
	let at = 0;
	const lower = html.toLowerCase();
	const skipTo = (end: string, from: number): number => {
		const found = lower.indexOf(end, from);
		return found === -1 ? html.length : found + end.length;
	};
	while (at < html.length) {
		const next = html.indexOf('<', at);
		if (next !== at) {
			const text = html.slice(at, next === -1 ? html.length : next);
			parts.push(decoded(text.replace(/\s+/g, ' ')));
			if (next === -1) break;
			at = next;
			continue;
		}
		if (html.startsWith('<!--', at)) {
			at = skipTo('-->', at);
			continue;
		}
		const close = html.indexOf('>', at);
		const tag = close === -1 || close - at > MAX_TAG ? '' : html.slice(at, close + 1);
		const [, slash = '', rawName = ''] = TAG.exec(tag) ?? [];
		const name = rawName.toLowerCase();
		if (name === '' && !tag.startsWith('<!')) {
			parts.push('<');
			at += 1;
			continue;
		}
		at = close + 1;
		if (HIDDEN.has(name) && slash === '') at = skipTo(`</${name}>`, at);
		else if (name === 'a' && slash === '') link = { at: parts.length, address: hrefOf(tag) };
		else if (name === 'a') {
			// A jump within the text is a footnote: its number stays.
			const words = link ? parts.splice(link.at).join('') : '';
			const isLink = link !== undefined && link.address !== '';
			parts.push(isLink ? `[${words.replace(/[[\]\n]/g, ' ').trim()}](${link?.address ?? ''})` : words);
			link = undefined;
		} else parts.push(markOf(name, slash !== ''));
	}
	return parts
		.join('')
		.replace(/\[\s?\[?(\d{1,3})\]?\s?\]/g, '[$1]')
		.split('\n')
		.map((line) => line.trim())
		.join('\n')
		.replace(/\n{3,}/g, '\n\n')
		.trim();
}
