import { pageKey } from '../text/addresses';
import { cutAt } from '../text/ends';
import { wordsOf } from '../text/pageText';
import { isPublicHost } from '../text/publicAddress';
import { oneLine, siteOf } from './select';

/** A link of a page that was read, which may lead to what is missing. */
export interface PageLead {
	url: string;
	/** Its words. */
	text: string;
}

/** Links of a page that are kept: those that share most words with the question. */
const MOST_OF_PAGE = 6;
const MAX_TEXT = 80;
const MAX_URL = 300;

/** A link of Markdown, no image: its words, and its address. */
const LINK = /(?<!!)\[([^\]\n]{2,200})\]\((https?:\/\/[^\s()<>]{4,300})/g;

/** The links of a page that have words of the question, by their words and paths, those first that have most. */
export function pageLinks(markdown: string, page: string, questions: readonly string[]): PageLead[] {
	const wanted = wordsOf(questions.join(' '));
	const own = pageKey(page);
	const best = new Map<string, { link: PageLead; shared: number }>();
	for (const [, text = '', url = ''] of markdown.matchAll(LINK)) {
		const key = pageKey(url);
		if (key === own || siteOf(url) === '' || url.length > MAX_URL || best.has(key) || !isOpen(url)) continue;
		const { pathname } = new URL(url);
		const words = wordsOf(`${text} ${pathname.replace(/[/_.-]/g, ' ')}`);
		const shared = [...words].filter((word) => wanted.has(word)).length;
		if (shared > 0) best.set(key, { link: { url, text: cutAt(oneLine(text), MAX_TEXT) }, shared });
	}
	return [...best.values()]
		.sort((one, other) => other.shared - one.shared)
		.slice(0, MOST_OF_PAGE)
		.map(({ link }) => link);
}

/** A page of strangers may lead to what a self-hosted server can reach and nobody else. */
function isOpen(address: string): boolean {
	const { hostname, username, password } = new URL(address);
	return isPublicHost(hostname) && username === '' && password === '';
}
