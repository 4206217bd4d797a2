import type { ServiceFailure } from '../../../service/http/failure';
import type { Explained } from '../../operation/operation';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** What a server says that has no browsers (recordings plain-05 and plain-12). */
export function withoutBrowsers({
	httpCode,
	message,
	isMissingOnServer,
}: ServiceFailure): Explained | undefined {
	if (isMissingOnServer) return undefined;
	if (httpCode !== 501 && httpCode !== 503) return undefined;
	return {
		title: 'This server has no browsers to offer, or none is free',
		message: `This server has no browsers to offer, or none is free at the moment. ${message}`,
	};
}

/** What a refusal means that is about one session. */
export function sessionRefusal(failure: ServiceFailure, id: string): Explained | undefined {
	const { httpCode, message } = failure;
	// To what is no UUID a server says that it failed (recordings browser-36 and browser-54).
	if (httpCode === 404 || (httpCode === 500 && !UUID.test(id))) {
		return {
			title: 'The service does not know this session',
			message: `The service does not know the session ${id}. Create Session and Get Many Sessions put out the right ID.${httpCode === 404 ? '' : ` ${message}`}`,
		};
	}
	if (httpCode === 410) {
		return {
			title: 'The session has ended',
			message: `The session ${id} has ended: it was closed, or its Lifetime or Idle Limit is over. Nothing was run. Create a new session.`,
		};
	}
	return withoutBrowsers(failure);
}

/** What a refusal means that is about the interaction with a scraped page. */
export function interactionRefusal(failure: ServiceFailure, id: string): Explained | undefined {
	const { httpCode, message } = failure;
	if (httpCode === 404) {
		return {
			title: 'The service does not know this scrape',
			message: `The service does not know the scrape ${id}: the Scrape ID is wrong, or its result has expired. Scrape the page again, and use the scrapeId that comes out.`,
		};
	}
	if (httpCode === 410) {
		return {
			title: 'The interaction is over',
			message: `The interaction with the scrape ${id} was stopped or its time is over, and it cannot be taken up again. Scrape the page again, and use the new scrapeId.`,
		};
	}
	if (httpCode === 409) {
		return {
			title: 'The page cannot be shown again',
			message: `The service has not kept what it needs to show the page of the scrape ${id} again. Scrape the page again, and use the new scrapeId. ${message}`,
		};
	}
	return withoutBrowsers(failure);
}

/** What is known of code whose answer is no answer: the browser failed, or nothing came. */
export function unclearRun(
	{ httpCode, reached, message }: ServiceFailure,
	next: string,
): Explained | undefined {
	if (reached !== 'maybe') return undefined;
	const title = httpCode === 502 ? 'The browser failed' : 'The code may have run';
	return {
		title,
		message: `${message} Whether the code ran, and how far, is not known. ${next}`,
	};
}
