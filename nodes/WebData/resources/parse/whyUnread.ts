import type { ServiceFailure } from '../../../service/http/failure';
import { isJsonObject } from '../../../service/http/answer';
import { shorten } from '../../../service/http/shortText';
import type { JsonObject } from '../../../service/http/transport';
import type { Explained, SentFile } from '../../operation/operation';

/** Refusals that are about the account, whatever was sent. */
const OF_ACCOUNT = [401, 402, 403, 429];

/** The service says the same of a file as of a page that it cannot fetch (recordings parse-16, parse-23). */
const NOT_READABLE = 'SCRAPE_ALL_ENGINES_FAILED';

/**
 * Why a file has no result, by its name, since an item may have several. It is sent once: whether it may
 * have been read, and paid for, is for a person to know.
 */
export function whyUnread(
	{ kind, message, httpCode, reached }: ServiceFailure,
	file: SentFile | undefined,
	sent: JsonObject,
): Explained | undefined {
	const isUnsent = httpCode === undefined && reached === 'no';
	if (!file || isUnsent || OF_ACCOUNT.includes(httpCode ?? 0)) return undefined;
	const title = `No result for "${shorten(file.fileName, 120)}"`;
	const told = (reason: string) => ({
		title: shorten(title, 140),
		message: `${title}: ${reason}`,
	});
	if (message.includes(NOT_READABLE)) {
		const options = rarePdfOptions(sent);
		const isFile = 'may be broken, protected by a password, or not what its name says.';
		if (options === '')
			return told(`the service could not read it (${NOT_READABLE}). It ${isFile}`);
		return told(
			`the service could not read it (${NOT_READABLE}). This server may not be able to do ${options} of PDF Options: remove them and run it again. If that does not help, the file ${isFile}`,
		);
	}
	const isUnclear = reached === 'maybe' && kind !== 'http';
	const doubt = ' It may have arrived, and may be paid for, so it was not sent again.';
	return told(`${message}${isUnclear ? doubt : ''}`);
}

/** What only some servers can do with a PDF file, which others answer as if they could not read it. */
const RARE_PDF_OPTIONS = {
	pages: 'Markdown by Page',
	blocks: 'Layout Blocks',
	pageMarkers: 'Page Markers',
};

/** Names of those that were asked for; empty without any. */
function rarePdfOptions({ parsers }: JsonObject): string {
	const asked = Array.isArray(parsers) ? parsers.filter(isJsonObject) : [];
	const names = Object.entries(RARE_PDF_OPTIONS)
		.filter(([option]) => asked.some((parser) => parser[option] === true))
		.map(([, name]) => name);
	return names.join(' and ');
}
