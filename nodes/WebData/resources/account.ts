import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { additionalFields, optionList, returnAllOrLimit } from '../../fields/basic';
import { choiceField, groupField, noticeField, switchField } from '../../fields/field';
import { threatProtection } from '../../fields/scrape/threatProtection';
import type { CallAnswer, CallOperation, ItemDraft, ListOperation, Resource } from '../../operation/operation';
import { withIsoDates } from '../../operation/recordFields';
import { isJsonObject } from '../../service/http/answer';
import type { JsonObject } from '../../service/http/transport';

const kind: INodeProperties = choiceField(
	'endpoint',
	'Kind of Job',
	'',
	'Which kind of job to list',
	[
		['Agent', 'agent'],
		['All', ''],
		['Batch Scrape', 'batch_scrape'],
		['Browser Session', 'browser'],
		['Crawl', 'crawl'],
		['Deep Research', 'deep_research'],
		['Extract', 'extract'],
		['Interaction', 'interact'],
		['LLMs.txt', 'llmstxt'],
		['Map', 'map'],
		['Scrape', 'scrape'],
		['Search', 'search'],
	],
	{ send: false, routing: { send: { type: 'query', property: 'endpoint' } } },
);

function readList({ data }: JsonObject): IDataObject[] | undefined {
	if (!Array.isArray(data)) return undefined;
	return data.filter(isJsonObject).map((job) => {
		const { api_version: apiVersion, created_at: createdAt, ...rest } = job;
		return withIsoDates({ ...rest, apiVersion, createdAt }) as IDataObject;
	});
}

const getActivity: ListOperation = {
	kind: 'list',
	value: 'getActivity',
	name: 'Get Activity',
	action: 'Get activity of last 24 hours',
	description: 'The jobs that your team started in the last 24 hours, newest first, one item each',
	unit: 'job',
	request: { method: 'GET', path: '/v2/team/activity', bucket: 'other' },
	readList,
	paging: {
		query: { limit: 100 },
		next: ({ cursor, has_more: hasMore }) =>
			hasMore === true && typeof cursor === 'string' && cursor !== '' ? { cursor } : undefined,
	},
	fields: [kind, ...returnAllOrLimit],
};

/** Some answers write the limit with an underscore (operation team.checkConcurrency). */
function concurrencyItems({ body }: CallAnswer): ItemDraft[] | undefined {
	const { concurrency, maxConcurrency, max_concurrency: olderMax } = body;
	const max = maxConcurrency ?? olderMax;
	if (typeof concurrency !== 'number') return undefined;
	return [{ json: { concurrency, maxConcurrency: typeof max === 'number' ? max : null } }];
}

const getConcurrency: CallOperation = {
	kind: 'call',
	value: 'getConcurrency',
	name: 'Get Concurrency',
	action: 'Get number of browsers in use',
	description: 'Browsers of your team that are in use, and how many your plan allows',
	request: { method: 'GET', path: '/v2/concurrency-check', bucket: 'crawlStatus' },
	toItems: concurrencyItems,
	fields: [],
};

/** The unit of a balance and its history. */
type Unit = 'credits' | 'tokens';

const capital = (unit: Unit) => (unit === 'credits' ? 'Credits' : 'Tokens');

/** A balance as one item. Older servers write the names with underscores (recording team-02). */
function balanceItems(unit: Unit): (answer: CallAnswer) => ItemDraft[] | undefined {
	return ({ body }) => {
		const { data } = body;
		if (!isJsonObject(data)) return undefined;
		const json: JsonObject = {
			[`remaining${capital(unit)}`]: data[`remaining${capital(unit)}`] ?? data[`remaining_${unit}`] ?? null,
			[`plan${capital(unit)}`]: data[`plan${capital(unit)}`] ?? data[`plan_${unit}`] ?? null,
			billingPeriodStart: data.billingPeriodStart ?? data.billing_period_start ?? null,
			billingPeriodEnd: data.billingPeriodEnd ?? data.billing_period_end ?? null,
		};
		return [{ json: withIsoDates(json) as IDataObject }];
	};
}

/** The periods of a history, one item each. The total has two names (docs/reference/service-notes.md#where-servers-differ). */
function historyItems(unit: Unit): (answer: CallAnswer) => ItemDraft[] | undefined {
	return ({ body }) => {
		if (!Array.isArray(body.periods)) return undefined;
		return body.periods.filter(isJsonObject).map((period) => {
			const { [`total${capital(unit)}`]: total, ...rest } = period;
			const used = rest[`${unit}Used`] ?? total ?? null;
			return { json: withIsoDates({ ...rest, [`${unit}Used`]: used }) as IDataObject };
		});
	};
}

const byApiKey: INodeProperties = switchField(
	'byApiKey',
	'Split by API Key',
	false,
	'Whether to return an item for each API key of each period',
	{ send: false, routing: { send: { type: 'query', property: 'byApiKey' } } },
);

const getCreditHistory: CallOperation = {
	kind: 'call',
	value: 'getCreditHistory',
	name: 'Get Credit History',
	action: 'Get credit history',
	description: 'Credits used in each billing period, one item each',
	request: { method: 'GET', path: '/v2/team/credit-usage/historical', bucket: 'crawlStatus' },
	toItems: historyItems('credits'),
	fields: [byApiKey],
};

const getCreditUsage: CallOperation = {
	kind: 'call',
	value: 'getCreditUsage',
	name: 'Get Credit Usage',
	action: 'Get credit usage',
	description: 'Credits left and those of the plan in this billing period',
	request: { method: 'GET', path: '/v2/team/credit-usage', bucket: 'crawlStatus' },
	toItems: balanceItems('credits'),
	fields: [],
};

function queueStatusItems({ body }: CallAnswer): ItemDraft[] | undefined {
	const { success, ...status } = body;
	if (success === false || typeof status.jobsInQueue !== 'number') return undefined;
	return [{ json: withIsoDates(status) as IDataObject }];
}

const getQueueStatus: CallOperation = {
	kind: 'call',
	value: 'getQueueStatus',
	name: 'Get Queue Status',
	action: 'Get queue status',
	description: 'Jobs running and waiting, and how many may run at once',
	request: { method: 'GET', path: '/v2/team/queue-status', bucket: 'crawlStatus' },
	toItems: queueStatusItems,
	fields: [],
};

/** The URL safety policy of the organization as one item (shape threatProtectionPolicy). */
function policyItems({ body }: CallAnswer): ItemDraft[] | undefined {
	if (!isJsonObject(body.data)) return undefined;
	return [{ json: withIsoDates(body.data) as IDataObject }];
}

const getThreatProtection: CallOperation = {
	kind: 'call',
	value: 'getThreatProtection',
	name: 'Get Threat Protection',
	action: 'Get threat protection policy',
	description: 'The URL safety policy of your organization (enterprise only)',
	request: { method: 'GET', path: '/v2/team/threat-protection', bucket: 'other' },
	toItems: policyItems,
	fields: [],
};

const getTokenHistory: CallOperation = {
	kind: 'call',
	value: 'getTokenHistory',
	name: 'Get Token History',
	action: 'Get token history',
	description: 'Tokens used in each billing period, one item each',
	request: { method: 'GET', path: '/v2/team/token-usage/historical', bucket: 'agentStatus' },
	toItems: historyItems('tokens'),
	fields: [byApiKey],
};

const getTokenUsage: CallOperation = {
	kind: 'call',
	value: 'getTokenUsage',
	name: 'Get Token Usage',
	action: 'Get token usage',
	description: 'Tokens left for Extract and those of the plan in this billing period',
	request: { method: 'GET', path: '/v2/team/token-usage', bucket: 'agentStatus' },
	toItems: balanceItems('tokens'),
	fields: [],
};

/** The lists are those of a single request, told as rules for the whole organization. */
const ruleFields = ['whitelist', 'blacklist', 'blockedTlds', 'riskScoreThreshold', 'failurePolicy'];
const rules = (threatProtection.options ?? []).filter(
	(option): option is INodeProperties => 'type' in option && ruleFields.includes(option.name),
);

const mode: INodeProperties = choiceField(
	'mode',
	'Mode',
	'normal',
	'How URLs are scanned before they are fetched',
	[
		['Normal', 'normal', 'Scan each URL, for 2 more credits each'],
		['Off', 'off', 'No scan'],
	],
	{ required: true },
);

const replaceNotice: INodeProperties = noticeField(
	'replaceNotice',
	'This replaces the whole policy: what is left out is reset.',
);

const policyRules: INodeProperties = groupField(
	'rules',
	'Rules',
	'Add rule',
	'The rules of the new policy. What is not added is reset to its default.',
	[
		switchField(
			'allowRequestOverrides',
			'Allow Request Overrides',
			true,
			'Whether a single request may use its own rules',
		),
		...rules,
	],
);

const updateThreatProtection: CallOperation = {
	kind: 'call',
	value: 'updateThreatProtection',
	name: 'Update Threat Protection',
	action: 'Replace threat protection policy',
	description: 'Replace the URL safety policy of your whole organization (enterprise only)',
	request: { method: 'PUT', path: '/v2/team/threat-protection', bucket: 'other' },
	toItems: policyItems,
	fields: [replaceNotice, mode, policyRules, optionList(additionalFields)],
};

export const account: Resource = {
	value: 'account',
	name: 'Account',
	description: 'Look up credits left, what ran in the last 24 hours, and the queue',
	operations: [
		getCreditUsage,
		getCreditHistory,
		getActivity,
		getQueueStatus,
		getConcurrency,
		getTokenUsage,
		getTokenHistory,
		getThreatProtection,
		updateThreatProtection,
	],
	defaultOperation: 'getCreditUsage',
};
