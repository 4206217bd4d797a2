/**
 * Whether what a visit shows is the page that is watched: one measure for Only New and Changed Pages and for Page
 * Changed. An error, or what another host shows, such as a login or a notice about cookies, is no new text of it.
 */

/** The result of a visit to a page. */
interface Visit {
	/** HTTP status of the site; undefined where the service does not say. */
	status: number | undefined;
	/** The reason why it could not be read, in the service's words; empty where it could. */
	error: string;
	/** The address it ended at; empty where that is not known. */
	endedAt: string;
}

/** The reason why a visit tells nothing of the page. `code` is the same for the same trouble. */
export interface NoMeasure {
	code: string;
	/** The rest of a sentence: `it answered with 503`. */
	why: string;
}

/**
 * The reason why a visit tells nothing of the page; undefined where it shows it. `addresses` are those by which the
 * page is known: what it is asked for by, and where it ended before.
 */
export function noMeasureOf({ status, error, endedAt }: Visit, addresses: readonly string[]): NoMeasure | undefined {
	if (status !== undefined && status >= 400) {
		const mayBeGone = status === 404 || status === 410;
		return { code: String(status), why: `it answered with ${status}${mayBeGone ? ', so it may be gone' : ''}` };
	}
	if (error !== '') return { code: 'error', why: `it could not be read (${error.replace(/\.\s*$/, '')})` };
	const host = hostOf(endedAt);
	const known = addresses.map(hostOf).filter((one) => one !== undefined);
	if (host === undefined || known.length === 0 || known.includes(host)) return undefined;
	return { code: 'elsewhere', why: `it leads to another site (${endedAt.slice(0, 200)})` };
}

/** The host of an address as visitors see it; undefined where the text has none. */
function hostOf(address: string): string | undefined {
	const text = /^[a-z]+:\/\//i.test(address) ? address : `https://${address}`;
	const host = URL.canParse(text) ? new URL(text).hostname : '';
	return host === '' ? undefined : host.replace(/^www\./, '');
}
