/**
 * What is told before a run beside what it then costs, for settings made by chance: the bill is never above the price, with
 * the price as Max Credits the run is not refused, and with one credit less it is. `PRICE_CASES=2000` tries so many, with the
 * seed in PRICE_SEED; `PRICE_FAULTS=1` strikes the requests as well.
 */
import type { IDataObject, INodeExecutionData, INodeParameters, INodeProperties } from 'n8n-workflow';
import type { Estimate } from '../../nodes/cost/estimate';
import { resources } from '../../nodes/WebData/resources';
import type { Operation } from '../../nodes/operation/operation';
import { runWorkflow } from '../../tools/n8n-engine/index.ts';
import type { Execution } from '../../tools/n8n-engine/index.ts';
import type { FaultRule } from '../../sandbox/control/faultBook.ts';
import type { Sandbox } from '../../sandbox/server.ts';
import { Chance } from '../unit/chance.ts';
import { randomSettings } from '../unit/randomSettings.ts';
import { after, errorText, executionOptions, hintsIn, jsonOf, NODE, runNode, startSandbox } from './run';
import { binaryOf, itemWith } from './uploads';
import { callsOf, RESEARCH, runResearch } from './webResearchRun';

const CASES = Number(process.env.PRICE_CASES ?? 60);
const SEED = Number(process.env.PRICE_SEED ?? 1);

const PAGES = ['costs', 'batteries', 'insurance', 'riders', 'scooters/rolla'].map(
	(path) => `https://example.com/${path}`,
);

/** What a price may depend on; everything else is as a new node has it. */
const MATTERS = [
	...['formats', 'jsonFrom', 'jsonPrompt', 'jsonFormatOptions', 'question', 'highlightsQuery', 'changeTrackingOptions'],
	...['sources', 'maxResults', 'withContent', 'maxLinks', 'maxUrls', 'interactBy', 'prompt', 'code', 'attributes'],
	...['query', 'types', 'language', 'timeout'],
];
const MATTERING_OPTIONS = [
	...['parsers', 'checkPromptInjection', 'rareOptions', 'allowExternalLinks', 'allowSubdomains', 'ttl', 'activityTtl'],
	...['maxUrls', 'maxDepth', 'maxRecords', 'proxy', 'mobile', 'maxAge', 'ignoreInvalidURLs', 'limit'],
];

const OPERATIONS = resources.flatMap(({ value: resource, operations }) =>
	// A decision needs an agent that waits for one.
	operations
		.filter(({ worstCase, value }) => worstCase && value !== 'decide')
		.map((operation) => ({ resource, operation })),
);

/** What each operation needs to be carried out in the sandbox. */
function needed(chance: Chance, resource: string, operation: Operation): INodeParameters {
	const page = () => chance.oneOf(...PAGES);
	const urls = chance.list(1, 4, page).join('\n');
	const name = `${resource}.${operation.value}`;
	const own: Record<string, INodeParameters> = {
		'page.scrape': { url: page() },
		'batchScrape.start': { urlsFrom: chance.oneOf('items', 'list'), url: page(), urls },
		'crawl.start': { url: 'https://example.com', pageLimit: chance.integer(1, 20) },
		'map.map': { url: 'https://example.com' },
		'agent.start': { urls: page(), maxCredits: chance.integer(1, 300) },
		'extract.start': { urls: page() },
		'llmsTxt.start': { url: 'https://example.com' },
		'browser.interact': { scrapeId: '={{ $json.scrapeId }}' },
		'browser.runInNewSession': { steps: { step: [{ language: 'node', code: '1 + 1', timeout: 30 }] } },
		'parse.parseFile': { filesFrom: 'field', binaryField: 'data' },
		'dataTool.run': {
			provider: 'open-registry',
			capability: chance.oneOf('company-profile', 'company-search'),
			inputsAs: 'json',
			inputsJson: '{ "name": "Kestrel" }',
		},
	};
	return { resource, operation: operation.value, waitForCompletion: true, ...own[name] };
}

const only = (values: Record<string, unknown>, names: readonly string[]) =>
	Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name)));

/** Settings of an operation, made by chance. */
function settingsOf(chance: Chance, resource: string, operation: Operation): INodeParameters {
	const { given } = randomSettings(chance, operation.fields);
	const groups = ['options', 'scrapeOptions'].flatMap((name): Array<[string, unknown]> => {
		const { [name]: group } = given;
		const isThere = operation.fields.some((field: INodeProperties) => field.name === name);
		return isThere ? [[name, only((group ?? {}) as Record<string, unknown>, MATTERING_OPTIONS)]] : [];
	});
	const settings = { ...only(given, MATTERS), ...Object.fromEntries(groups), ...needed(chance, resource, operation) };
	return settings as INodeParameters;
}

/** The settings with this limit beside the others, in the group that has it. */
function withOption(settings: INodeParameters, operation: Operation, option: INodeParameters): INodeParameters {
	const holds = (field: INodeProperties) => JSON.stringify(field.options ?? []).includes('"onlyPrice"');
	const { name } = operation.fields.find(holds) ?? { name: 'options' };
	return { ...settings, [name]: { ...(settings[name] as INodeParameters), ...option } };
}

/** Items with what the operations need of them. */
const inputOf = (count: number, scrapeId: string): INodeExecutionData[] =>
	Array.from({ length: count }, () => ({ ...itemWith({ data: binaryOf('birds.csv') }), json: { scrapeId } }));

/** What may become of a request that costs. */
const FAULTS: readonly FaultRule[] = [
	{ kind: 'status', httpStatus: 500, when: 'after', share: 0.1 },
	{ kind: 'reset', when: 'after', share: 0.1 },
	{ kind: 'status', httpStatus: 503, retryAfter: 1, share: 0.1 },
	{ kind: 'truncated', when: 'after', share: 0.1 },
];

/** What says that something may have been paid for besides. */
const IN_DOUBT = /may have (cost|been|run|done)|paid for (twice|again)|sent again|is not known/i;

it('never costs more than was told before, and is refused with a credit less', async () => {
	const sandbox = await startSandbox({ seed: SEED });
	const ends = new Map<string, number>();
	const wrong: string[] = [];
	for (let number = 0; number < CASES; number += 1) {
		const chance = new Chance(SEED * 100_003 + number);
		const { resource, operation } = chance.oneOf(...OPERATIONS);
		const how = await tryOne(sandbox, chance, resource, operation).catch((error: unknown) => `broke: ${String(error)}`);
		const [end = ''] = how.split(':');
		ends.set(end, (ends.get(end) ?? 0) + 1);
		if (how.includes(':')) wrong.push(`${number} ${resource}.${operation.value}: ${how}`);
	}
	if (process.env.PRICE_SHOW) console.log(Object.fromEntries(ends));
	expect(wrong).toEqual([]);
	expect(ends.get('kept') ?? 0).toBeGreaterThan(CASES / 3);
});

/** What came of one: `kept`, `failed`, `refused`, `unbounded`; with a colon, what is wrong. */
async function tryOne(sandbox: Sandbox, chance: Chance, resource: string, operation: Operation): Promise<string> {
	sandbox.reset();
	const settings = settingsOf(chance, resource, operation);
	const { baseUrl } = sandbox;
	let scrapeId = '';
	const count = chance.integer(1, 3);
	const run = async (option: INodeParameters): Promise<Execution> => {
		const asked = withOption(settings, operation, option);
		const pinData = { Items: inputOf(count, scrapeId) };
		return await runWorkflow({ ...(await executionOptions({ baseUrl }, asked)), pinData });
	};
	if (operation.value === 'interact') {
		const scraped = await runNode(sandbox, { resource: 'page', operation: 'scrape', url: PAGES[0] ?? '' });
		scrapeId = String((jsonOf(scraped.items(NODE))[0]?.metadata as { scrapeId?: string } | undefined)?.scrapeId);
	}
	const before = sandbox.stats().creditsUsed;
	const paid = (): number => sandbox.stats().creditsUsed - before;
	const asked = await run({ onlyPrice: true });
	if (paid() > 0) return `the price was paid for: ${JSON.stringify(settings)}`;
	const [first] = jsonOf(asked.items(NODE));
	if (!first) return 'refused';
	const { runMaxCredits, isBounded, notCounted } = first.estimate as unknown as Estimate;
	if (runMaxCredits === null || !isBounded) return 'unbounded';
	if (runMaxCredits > 1) {
		const less = await run({ maxCredits: runMaxCredits - 1 });
		if (!/may cost up to/.test(errorText(less)) || paid() > 0)
			return `a credit less is not refused: ${errorText(less)}`;
	}
	if (process.env.PRICE_FAULTS) for (const fault of FAULTS) sandbox.faults.add(fault);
	// Under the cap nothing is sent twice that it does not allow; without it, what may be paid for twice is said.
	const isCapped = !process.env.PRICE_FAULTS || chance.boolean();
	const done = await run(isCapped ? { maxCredits: runMaxCredits } : {});
	await after(600_000);
	const said = [errorText(done), hintsIn(done)].join(' ');
	if (!process.env.PRICE_FAULTS && /may cost up to/.test(said)) return `what was told is refused: ${said}`;
	const credits = paid();
	if (credits <= runMaxCredits) return errorText(done) === '' ? 'kept' : 'failed';
	if (notCounted.length > 0) return 'above, as was said';
	if (!isCapped && IN_DOUBT.test(said)) return 'in doubt';
	return `${credits} instead of ${runMaxCredits}: ${JSON.stringify(settings)} ${said}`;
}

/** A question, rows or texts, with limits made by chance. */
function researchBy(chance: Chance): { parameters: INodeParameters; items: IDataObject[] } {
	const options = {
		...(chance.boolean() && { maxUrls: chance.integer(1, 12) }),
		...(chance.boolean() && { maxDepth: chance.integer(1, 4) }),
		...(chance.boolean() && { firstPages: chance.list(1, 4, () => chance.oneOf(...PAGES)).join('\n') }),
		...(chance.boolean() && { sources: chance.some(['web', 'news']) }),
	};
	const count = chance.integer(1, 3);
	const own = (names: readonly string[]) => only(options, names);
	switch (chance.oneOf('research', 'fillColumns', 'checkText')) {
		case 'research': {
			const items = Array.from({ length: count }, () => ({ q: `How much does a cargo bike ${chance.word()} cost?` }));
			return {
				parameters: { options: own(['maxUrls', 'maxDepth', 'firstPages', 'sources']) } as INodeParameters,
				items,
			};
		}
		case 'fillColumns': {
			const firms = ['Velonda', 'Kurvio', 'Pakatto', 'Osterby Couriers', 'Nordhaven Cargo Cycles'];
			const items = Array.from({ length: count }, () => ({ company: chance.oneOf(...firms) }));
			const columns = ['price', 'head_office', 'founded', 'employees', 'free_trial'].slice(0, chance.integer(1, 5));
			const columnsJson = JSON.stringify(Object.fromEntries(columns.map((name) => [name, `The ${name} of the firm`])));
			const website = chance.boolean() ? '={{ $json.company.toLowerCase().split(" ")[0] }}.example' : '';
			const asked = { subject: '={{ $json.company }}', website, columnsFrom: 'json', columnsJson };
			return {
				parameters: { operation: 'fillColumns', ...asked, options: own(['maxUrls', 'maxDepth']) as INodeParameters },
				items,
			};
		}
		default: {
			const lines = chance.list(
				1,
				6,
				() => `It costs ${chance.integer(1, 900)} euros${chance.boolean() ? ' [1]' : ''}.`,
			);
			const items = Array.from({ length: count }, () => ({
				text: `${lines.join(' ')}\n\n1. ${chance.oneOf(...PAGES)}`,
			}));
			const withoutSource = chance.oneOf('list', 'search');
			const parameters = {
				operation: 'checkText',
				text: '={{ $json.text }}',
				withoutSource,
				options: own(['maxUrls']),
			};
			return { parameters: parameters as INodeParameters, items };
		}
	}
}

it('never costs more than was told before by Web Research', async () => {
	const sandbox = await startSandbox({ seed: SEED });
	const wrong: string[] = [];
	const shares: number[] = [];
	for (let number = 0; number < Math.ceil(CASES / 6); number += 1) {
		sandbox.reset();
		const { parameters, items } = researchBy(new Chance(SEED * 100_003 + number));
		const run = async (option: INodeParameters) => {
			const options = { ...(parameters.options as INodeParameters), ...option };
			return await runResearch(sandbox, { parameters: { ...parameters, options }, items });
		};
		const [first] = jsonOf((await run({ onlyPrice: true })).items(RESEARCH));
		const { runMaxCredits, likelyCredits } = first?.estimate as unknown as Estimate;
		const free = callsOf(sandbox);
		const done = await run({});
		const { creditsUsed } = callsOf(sandbox);
		shares.push(creditsUsed / items.length / (likelyCredits ?? 1));
		if (free.creditsUsed + free.model > 0) wrong.push(`${number}: the price was paid for`);
		if (creditsUsed > (runMaxCredits ?? 0)) {
			wrong.push(
				`${number}: ${creditsUsed} of ${runMaxCredits} ${JSON.stringify([parameters, items])} ${hintsIn(done)}`,
			);
		}
	}
	if (process.env.PRICE_SHOW) console.log('of what is likely', shares.map((share) => share.toFixed(2)).join(' '));
	expect(wrong).toEqual([]);
});
