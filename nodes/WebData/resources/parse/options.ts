import type { INodeProperties } from 'n8n-workflow';

import { additionalFields } from '../../fields/basic/additionalFields';
import { maxCredits } from '../../fields/basic/maxCredits';
import { auditMetadata } from '../../fields/basic/origin';
import { rareOptions } from '../../fields/basic/rareOptions';
import { scrapeOptionList } from '../../fields/scrape/scrapeOptions';
import { parsers } from '../../fields/scrape/parsers';
import {
	excludeTags,
	includeTags,
	onlyMainContent,
	removeBase64Images,
} from '../../fields/scrape/scrapeOptionsContent';
import { blockAds, headers, skipTlsVerification } from '../../fields/scrape/scrapeOptionsFetch';
import { redactPersonalData, zeroDataRetention } from '../../fields/scrape/scrapeOptionsPrivacy';

/** Time that the service has for a file when none is sent (shape `parseOptions`). */
export const DEFAULT_TIMEOUT_MS = 30_000;

const timeout: INodeProperties = {
	displayName: 'Timeout (Milliseconds)',
	// Of pages it has another default, so it is another option of the panel.
	name: 'fileTimeout',
	type: 'number',
	typeOptions: { minValue: 1000, maxValue: 300_000, numberPrecision: 0 },
	default: DEFAULT_TIMEOUT_MS,
	description:
		'How long Firecrawl may take for a file, 1000 to 300000. Raise it for long PDF files.',
	routing: { send: { type: 'body', property: 'timeout' } },
};

const proxy: INodeProperties = {
	displayName: 'Proxy',
	name: 'fileProxy',
	type: 'options',
	options: [
		{ name: 'Automatic', value: 'auto' },
		{ name: 'Basic', value: 'basic' },
	],
	default: 'auto',
	description: 'Which kind of proxy to use for what the file links to',
	routing: { send: { type: 'body', property: 'proxy' } },
};

/** Read by filesToStore in operation/pageFiles.ts. */
const storeAsFiles: INodeProperties = {
	displayName: 'Store as Files',
	name: 'storeTextAsFiles',
	type: 'multiOptions',
	options: [
		{ name: 'HTML', value: 'html', description: 'In the binary field html' },
		{ name: 'Markdown', value: 'markdown', description: 'In the binary field markdown' },
		{ name: 'Raw HTML', value: 'rawHtml', description: 'In the binary field rawHtml' },
	],
	default: ['markdown'],
	description:
		'What to return as binary files instead of JSON fields. The formats needed are requested automatically.',
};

/** Every option of shape `parseOptions` but the formats, those that people need most first. */
export const parseOptions: INodeProperties = scrapeOptionList(
	onlyMainContent,
	includeTags,
	excludeTags,
	headers,
	blockAds,
	parsers,
	timeout,
	proxy,
	storeAsFiles,
	maxCredits,
	rareOptions(
		skipTlsVerification,
		removeBase64Images,
		redactPersonalData,
		zeroDataRetention,
		auditMetadata,
	),
	additionalFields,
);
