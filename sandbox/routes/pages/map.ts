import { jsonAnswer } from '../../http/answer.ts';
import type { Answer } from '../../http/answer.ts';
import type { ReadBody } from '../../http/requestChecks.ts';
import { mapRequestSchema, mapSite } from '../../map/mapSite.ts';
import { acceptBody, queryOf, demandEnterprise, scrapeRefusal } from '../../requests/answerRequest.ts';
import type { Route } from '../../requests/routes.ts';
import { ownPage } from '../../site/pages.ts';
import { higherDomain } from '../../web/addresses.ts';
import type { Service } from '../../service/service.ts';

/** What a server of 2026 says of a map with one link or none (recordings map-04, map-09). */
function fewLinksWarning(url: string, links: number): string | undefined {
	const domain = links > 1 ? undefined : higherDomain(url);
	if (domain === undefined) return undefined;
	return `Only ${links} result(s) found. For broader coverage, try mapping the base domain: ${domain}`;
}

async function map(service: Service, body: ReadBody): Promise<Answer> {
	const asked = acceptBody(service, body, mapRequestSchema);
	demandEnterprise(service, asked.threatProtection);
	const id = service.newId();
	service.noteActivity('map', id, asked.url);
	try {
		const urls = await mapSite(asked, service.web);
		service.credits.charge(1);
		const links = urls.map((url) => {
			const { title, description } = ownPage(url) ?? {};
			return { url, ...(title && { title, description }) };
		});
		const warning = fewLinksWarning(asked.url, links.length);
		return jsonAnswer(200, { success: true, id, links, ...(warning && { warning }) });
	} catch (error) {
		return scrapeRefusal(error);
	}
}

/** The addresses of a site. One credit a call, whatever the count (docs/reference/service-notes.md#prices). */
export const mapRoutes = (service: Service): Route[] => [
	{
		on: 'POST /v2/map',
		step: 'map',
		bucket: 'map',
		credits: 1,
		query: ({ body }) => queryOf(body, 'url'),
		work: ({ body }) => map(service, body),
	},
];
