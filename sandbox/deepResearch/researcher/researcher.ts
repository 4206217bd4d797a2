import { Agent, request as httpRequest } from 'undici';

import { fillSchema } from '../../text/fillSchema.ts';
import { rankSentences } from '../../text/rankSentences.ts';
import { termsOf } from '../../text/terms.ts';
import { writeAnalysis } from './analysis.ts';
import { gather } from './rounds.ts';
import { buildSiteIndex } from './siteIndex.ts';
import { PUBLIC_SITE } from '../../web/ownSite.ts';
import type { OwnSite } from '../../web/ownSite.ts';
import type { ResearchResult } from '../researchJob.ts';
import type { ResearchRequest } from '../researchRequest.ts';
import type { SiteIndex } from './siteIndex.ts';

/** Does the work of deep research jobs over one site. */
export interface Researcher {
	/** Rejects when the site cannot be read. */
	research(request: ResearchRequest): Promise<ResearchResult>;
	/** Ends what is under way; research that is cut off rejects. */
	stop(): Promise<void>;
}

const CONNECTIONS = 8;

/**
 * Research by search and by picking sentences: no language model. The index is built by fetching the
 * site's pages at the first job; they are known by their public addresses, as everywhere.
 */
export function researcher(site: OwnSite, options: { analysisAsObject: boolean }): Researcher {
	const dispatcher = new Agent({ connections: CONNECTIONS });
	let index: Promise<SiteIndex> | undefined;

	const fetchText = async (url: string): Promise<string> => {
		const { url: place, headers } = site.locate(url);
		const { statusCode, body } = await httpRequest(place, { dispatcher, headers });
		const text = await body.text();
		if (statusCode !== 200) throw new Error(`${url} answered ${statusCode}`);
		return text;
	};

	const siteIndex = (): Promise<SiteIndex> => {
		index ??= buildSiteIndex(PUBLIC_SITE, fetchText).catch((error: unknown) => {
			// The next job may have better luck.
			index = undefined;
			throw error;
		});
		return index;
	};

	const research = async (request: ResearchRequest): Promise<ResearchResult> => {
		const { pages, course, isOffTopic } = await gather(request, await siteIndex(), fetchText);
		const { analysisPrompt = '', query, formats, jsonOptions } = request;
		const findings = rankSentences(
			pages,
			termsOf(`${query} ${analysisPrompt} ${jsonOptions?.prompt ?? ''}`),
		);
		const wantsJson = formats.includes('json');
		const wantsText = formats.includes('markdown');
		const analysis = wantsText ? writeAnalysis(request, pages, findings, isOffTopic) : '';
		return {
			steps: course.steps,
			finalAnalysis:
				wantsText && wantsJson && options.analysisAsObject ? { result: analysis } : analysis,
			json: wantsJson ? fillSchema(jsonOptions?.schema, findings) : null,
		};
	};

	return { research, stop: () => dispatcher.destroy() };
}
