import type { FastifyInstance } from 'fastify';

import { acceptBody } from '../acceptBody.ts';
import { jsonAnswer } from '../answer.ts';
import { exchange } from '../exchange.ts';
import { bodyOf } from '../jsonBody.ts';
import { mapRequestSchema } from '../map/mapRequest.ts';
import { mapSite } from '../map/mapSite.ts';
import { queryOf, scrapeRefusal } from './callFacts.ts';
import type { Answer } from '../answer.ts';
import type { ReadBody } from '../jsonBody.ts';
import type { Service } from '../service.ts';

async function map(service: Service, body: ReadBody): Promise<Answer> {
	const { generation } = service.options;
	const read = acceptBody(service, body, mapRequestSchema(generation));
	if ('refused' in read) return read.refused;
	try {
		const urls = await mapSite(read.request, { web: service.web, generation });
		service.credits.charge(1);
		const links = urls.map((url) => {
			// Titles of pages that the index has seen; a server of 2025 gives addresses alone (recording map-01).
			const page = generation === 2026 ? service.index.find(url) : undefined;
			return {
				url,
				...(page?.title && { title: page.title }),
				...(page?.description && { description: page.description }),
			};
		});
		return jsonAnswer(200, { success: true, links });
	} catch (error) {
		return scrapeRefusal(error);
	}
}

/** The addresses of a site. One credit a call, whatever the count (CONTRACT section 13). */
export function mapRoutes(app: FastifyInstance, service: Service): void {
	app.post('/v2/map', (request, reply) => {
		const body = bodyOf(request.body);
		return exchange(service, request, reply, {
			step: 'map',
			bucket: 'map',
			creditsNeeded: 1,
			query: queryOf(body, 'url'),
			jobId: () => undefined,
			work: () => map(service, body),
		});
	});
}
