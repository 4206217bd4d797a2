import type { ServiceFailure } from '../../../service/http/failure';
import type { CallAnswer, CallOperation, Explained, ItemDraft } from '../../operation/operation';
import { withoutBrowsers } from './refusals';
import { endOf, scrapeId, sessionUsage } from './session';

function toItems({ body, values }: CallAnswer): ItemDraft[] | undefined {
	if (body.success === false) return undefined;
	return [{ json: { stopped: true, scrapeId: String(values.scrapeId), ...endOf(body) } }];
}

/** Also what a scrape is told on which nobody has interacted (recording interact-41). */
function notOpen(failure: ServiceFailure, id: string): Explained | undefined {
	if (failure.httpCode !== 404) return withoutBrowsers(failure);
	return {
		title: 'There is no interaction to stop',
		message: `There is no interaction with the scrape ${id} to stop: none was begun, or the Scrape ID is wrong. Nothing of it costs.`,
	};
}

export const stopInteraction: CallOperation = {
	kind: 'call',
	value: 'stopInteraction',
	name: 'Stop Interaction',
	action: 'Stop interaction with scraped page',
	description:
		'Close the page that Interact has open, so that it costs no more. To continue after that, scrape the page again.',
	request: { method: 'DELETE', path: '/v2/scrape/{scrapeId}/interact', bucket: 'interact' },
	toItems,
	explain: (failure, values) => notOpen(failure, String(values.scrapeId)),
	usage: sessionUsage,
	fields: [scrapeId],
};
