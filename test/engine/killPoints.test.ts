/**
 * What becomes of each scenario when n8n is killed, the execution is stopped or an answer is lost at any of its requests:
 * nothing is paid twice without being said, and no started job is lost. `KILL_POINTS=all` tries all points, else every
 * third is tried. The name of a point says where it is: `POST /v2/crawl #2, after`.
 */
import { join } from 'node:path';
import type { IDataObject, IRunExecutionData } from 'n8n-workflow';
import { n8nLog, runWorkflow } from '../../tools/n8n-engine/index.ts';
import { seededRandom } from '../../sandbox/runtime/runtime.ts';
import type { Sandbox } from '../../sandbox/server.ts';
import { expectTableOnPage } from '../helpers/goldenFile';
import { after, executionOptions, KEY, KEY_AFTERWARDS, NODE, startSandbox } from './run';
import { nameOf, startPointProxy } from './killPoints/pointProxy';
import type { Point, PointProxy } from './killPoints/pointProxy';
import { MODES } from './killPoints/scenario';
import type { Attempt, Mode, Scenario, Settings } from './killPoints/scenario';
import { CRAWL, CRAWL_SCENARIO, SCENARIOS } from './killPoints/scenarios';

const STEP = process.env.KILL_POINTS === 'all' ? 1 : 3;
/** Longer than any job of the scenarios, and than the service's lists are behind. */
const LONG_MS = 5 * 60_000;

/** Of another account. */
const KEY_ELSEWHERE = 'fc-elsewhere';

const logged: string[] = [];

beforeEach(() => {
	const log = n8nLog();
	for (const level of ['info', 'warn', 'error', 'debug'] as const) {
		jest.spyOn(log, level).mockImplementation((...said) => void logged.push(String(said[0])));
	}
});

/** One n8n and its service, in which a scenario is tried once. */
class World {
	private constructor(
		readonly sandbox: Sandbox,
		readonly proxy: PointProxy,
	) {
		logged.length = 0;
		// The pauses that the node draws are the same in each run, so that each has the same requests.
		jest.spyOn(Math, 'random').mockImplementation(seededRandom(1));
	}

	static async open({ service = {}, tables }: Scenario): Promise<World> {
		const keys = { keys: [KEY, KEY_AFTERWARDS], otherAccounts: [[KEY_ELSEWHERE]] };
		const sandbox = await startSandbox({ seed: 1, ...keys, ...service });
		const remembered = await tables?.(sandbox);
		const proxy = await startPointProxy(sandbox.baseUrl);
		if (remembered) remembered.gate = async (operation, when) => await proxy.visit(operation, when);
		return new World(sandbox, proxy);
	}

	/** What the service has been paid for, when all its jobs have ended. */
	async paid(): Promise<{ credits: number; ids: string[] }> {
		await after(LONG_MS);
		const accounts = [this.sandbox, ...this.sandbox.others].map((account) => account.stats());
		return {
			credits: accounts.reduce((sum, { creditsUsed }) => sum + creditsUsed, 0),
			ids: accounts.flatMap(({ starts, scrapes }) => [
				...starts.list.map(({ id }) => id),
				...scrapes.map(({ scrapeId }) => scrapeId),
			]),
		};
	}
}

interface Reference {
	points: Point[];
	items: unknown;
	credits: number;
	/** How many jobs and scrapes it starts. */
	started: number;
}

/** How the scenario is where nothing happens to it. */
async function referenceOf(scenario: Scenario): Promise<Reference> {
	const world = await World.open(scenario);
	const { proxy, sandbox } = world;
	const settings = { baseUrl: proxy.baseUrl, apiKey: KEY };
	await scenario.others?.(settings, sandbox);
	const done = await scenario.run(settings, sandbox);
	if (!done.isOk && !scenario.isStopped) throw new Error(`${scenario.name} does not work: ${done.said}`);
	const { at = /./ } = scenario;
	const requests = proxy.requests.filter((request) => at.test(request));
	const points = requests.flatMap((request) => [
		{ request, when: 'before' as const },
		{ request, when: 'after' as const },
	]);
	const { credits, ids } = await world.paid();
	return { points, items: comparable(done.items), credits, started: ids.length };
}

/** Without what each run has of its own: ids, times, what a model has used. */
function comparable(items: readonly IDataObject[]): unknown {
	const own = /id$|ids$|At$|html|usage|seconds|credits|activit|duration|url$/i;
	const text = JSON.stringify(items, (key, value: unknown) => (own.test(key) ? undefined : value));
	const timeless = text
		.replace(/\d{4}-\d\d-\d\d(?:[T ][\d:.]+Z?)?/g, 'then')
		// Midnight may be between two readings.
		.replace(/then – then/g, 'then')
		.replace(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, 'id');
	return JSON.parse(timeless);
}

/** What a mode does to the network. */
const THEN = {
	kill: 'swallow',
	stop: 'pass',
	'lost, Retry On Fail': 'break',
	'lost, Retry': 'break',
	'outage, Retry': 'refuse',
} as const;

/** A second trouble after the first: what it does to the network, or the key of another account in the Retry. */
const SECONDS = { refused: 'deny', lost: 'break', 'another account': undefined } as const;
type SecondTrouble = keyof typeof SECONDS;

interface Case {
	point: Point;
	mode: Mode;
	second?: SecondTrouble;
}

interface Trial extends Case {
	world: World;
	scenario: Scenario;
	reference: Reference;
}

/** What is wrong with what became of the scenario; empty where it has held. */
async function tryAt(scenario: Scenario, reference: Reference, { point, mode, second }: Case): Promise<string[]> {
	const world = await World.open(scenario);
	const { proxy, sandbox } = world;
	const { baseUrl } = proxy;
	const stop = new AbortController();
	let wasReached = false;
	let loggedBefore: string[] = [];
	const reached = () => {
		wasReached = true;
		loggedBefore = [...logged];
		if (mode === 'kill' || mode === 'stop') stop.abort();
	};
	const then = THEN[mode];
	const others = await scenario.others?.({ baseUrl, apiKey: KEY }, sandbox);
	const strikes = second && SECONDS[second];
	proxy.arm({ point, then, reached, ...(strikes && { second: strikes }) });
	const settings: Settings = {
		baseUrl,
		apiKey: KEY,
		signal: stop.signal,
		isKilled: mode === 'kill',
		retryOnFail: mode === 'lost, Retry On Fail',
	};
	const first = await scenario.run(settings, sandbox);
	if (!wasReached) return ['The point was not reached.'];
	// A process that is dead has said nothing, and what it had logged is there.
	const attempts = mode === 'kill' ? [] : [first];
	// n8n offers no Retry of what was stopped, and refuses it through its API, too (2.41, run).
	if (mode === 'stop') return await faultsAfterStop(world, first.traces, logged, others);
	const log = mode === 'kill' ? loggedBefore : logged;
	proxy.open();
	if (scenario.isStopped) return await faultsAfterStop(world, mode === 'kill' ? '' : first.traces, log, others);
	let last = first;
	// Each trouble may take a Retry.
	const most = second ? 3 : 2;
	for (let tries = 0; tries < most && (last === first ? mode === 'kill' || !first.isOk : !last.isOk); tries += 1) {
		await after(60_000);
		const stored = mode === 'kill' && last === first ? first.killed : last.stored;
		const apiKey = second === 'another account' ? KEY_ELSEWHERE : mode === 'kill' ? KEY_AFTERWARDS : KEY;
		last = await scenario.retry({ executionId: last.executionId, stored }, { baseUrl, apiKey }, sandbox);
		attempts.push(last);
	}
	if (strikes && !proxy.hasStruckTwice()) return [];
	return await faultsOf({ point, mode, ...(second && { second }), world, scenario, reference }, attempts, log);
}

/** Of a stopped execution nothing is returned: its jobs are cancelled, or named in the log. */
async function faultsAfterStop(world: World, traces: string, log: string[], others: string[] = []): Promise<string[]> {
	await world.paid();
	const { starts, cancels, jobsRunning } = world.sandbox.stats();
	const everything = [traces, ...log].join('\n');
	const lost = starts.list.filter(({ id }) => ![...cancels, ...others].includes(id) && !everything.includes(id));
	const cut = others.filter((id) => cancels.includes(id));
	return [
		...(cut.length > 0 ? [`Cancelled ${cut.join(', ')}, which is not its own.`] : []),
		...(lost.length > 0 ? [`Nobody knows of ${lost.map(({ id }) => id).join(', ')}.`] : []),
		...(jobsRunning > 0 ? [`${jobsRunning} jobs run for ever.`] : []),
		...(everything.includes(KEY) ? ['The key is in what is left behind.'] : []),
	];
}

/** Words of a hint or an error that say that something may be paid for twice, or may be there. */
const SAID =
	/twice|(paid for|sent|started|run) again|may have (been|done|run)|may be (it|paid)|is not known|not lost|counted already|still running|suspendedJob|everything is told|may not be remembered|today's API key|once in an account/i;

async function faultsOf(
	{ point, mode, second, world, scenario, reference }: Trial,
	attempts: Attempt[],
	log: string[],
): Promise<string[]> {
	const faults: string[] = [];
	const last = attempts.at(-1);
	if (!last) return ['Nothing was tried.'];
	const { credits, ids } = await world.paid();
	const said = attempts.map((attempt) => attempt.said).join('\n');
	const everything = [...attempts.map(({ traces }) => traces), ...log].join('\n');
	if (last.isOk) {
		const [is, was] = [comparable(last.items), reference.items].map((one) => JSON.stringify(one));
		// What is not complete is said, as of a research one of whose searches was lost, or to an agent whose tool is refused.
		const isRefused = second === 'refused' && /enough credits/.test(said);
		// The trouble of a row is that row's: it comes out with a sentence, and the others go on.
		const isOfRows = /rows? failed|ended some rows|rows? not started|could not be read/.test(said);
		if (is !== was && !isRefused && !isOfRows && !SAID.test(said))
			faults.push(`The output differs: ${firstDifference(String(is), String(was))}; said: ${said}`);
	} else if (!SAID.test(last.said)) {
		faults.push(`Fails for good without saying what may be there: ${last.said.slice(0, 300)}`);
	}
	// What was answered before the service was down is noted, and needs no list to be found.
	const isKnown = mode === 'outage, Retry' && (point.when === 'after' || !point.request.startsWith('POST'));
	if (!last.isOk && isKnown && scenario.cap === undefined) faults.push(`What was known is lost: ${last.said}`);
	if (credits > reference.credits && !SAID.test(said) && scenario.mayCostAgain === undefined) {
		faults.push(`${credits} credits instead of ${reference.credits}, and nothing says so: ${said}`);
	}
	const { cap = Infinity } = scenario;
	if (credits > cap && mode !== 'kill') faults.push(`${credits} credits, and the cap is ${cap}.`);
	const isElsewhere = second === 'another account';
	if (scenario.isPaidOnce && !isElsewhere && credits > reference.credits)
		faults.push(`${credits} credits: paid twice.`);
	const lost = ids.filter((id) => !everything.includes(id));
	const areMissing = !last.isOk || ids.length > reference.started;
	if (areMissing && lost.length > 0 && !SAID.test(said)) faults.push(`Nobody knows of ${lost.join(', ')}.`);
	const open = world.sandbox.stats().jobsRunning;
	if (open > 0) faults.push(`${open} jobs run for ever.`);
	if (everything.includes(KEY) || everything.includes(KEY_AFTERWARDS))
		faults.push('The key is in what is left behind.');
	return faults;
}

/** Where two texts begin to differ, with what stands there. */
function firstDifference(is: string, was: string): string {
	const at = [...is].findIndex((character, index) => character !== was[index]);
	const around = (text: string) => text.slice(Math.max(0, at - 60), at + 120);
	return `${around(is)} instead of ${around(was)}`;
}

/** A call of n8n's own tables, which no outage of the service concerns. */
const isOfTables = ({ request }: Point) => /^(?:table|row) /.test(request);

/** An answer can be lost only once there is one. */
const isFor = ({ breaksBefore }: Scenario, mode: Mode, point: Point) => {
	if (isOfTables(point)) return mode !== 'outage, Retry';
	return breaksBefore === true || !mode.startsWith('lost') || point.when === 'after';
};

/** All that is tried of a scenario. */
function casesOf(scenario: Scenario, { points }: Reference): Case[] {
	const { modes = MODES } = scenario;
	return modes.flatMap((mode) =>
		points.filter((point) => isFor(scenario, mode, point)).map((point) => ({ mode, point })),
	);
}

/** The same with a second trouble: after a kill, and after an answer that was lost. */
function doubleCasesOf(scenario: Scenario, reference: Reference): Case[] {
	if (scenario.isStopped || scenario.modes || scenario.tables) return [];
	const first = casesOf(scenario, reference).filter(({ mode }) => mode === 'kill' || mode === 'lost, Retry');
	return first.flatMap((one) =>
		(Object.keys(SECONDS) as SecondTrouble[])
			.filter((second) => one.mode === 'kill' || second !== 'another account')
			.map((second) => ({ ...one, second })),
	);
}

const UUID = /[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g;
const PAGE = join(__dirname, '../../docs/reference/WHAT-HAPPENS-WHEN.md');
const numbers = new Map<string, [once: number, twice: number]>();
/** Draws the double points: others with another KILL_SEED. */
const draw = seededRandom(Number(process.env.KILL_SEED ?? 1));

it.each(SCENARIOS.map((scenario) => [scenario.name, scenario] as const))(
	'%s: at every request',
	async (name, scenario) => {
		const reference = await referenceOf(scenario);
		const once = casesOf(scenario, reference);
		const twice = doubleCasesOf(scenario, reference);
		numbers.set(name, [once.length, twice.length]);
		expect(once.length).toBeGreaterThan(1);
		const drawn = twice.filter(() => STEP === 1 || draw() < 1 / 6);
		const cases = [...once.filter((_case, index) => index % STEP === 0), ...drawn];
		const broken: string[] = [];
		for (const one of cases) {
			const faults = await tryAt(scenario, reference, one).catch((error: unknown) => [String(error)]);
			const { mode, second, point } = one;
			const what = `${mode}${second ? ` and ${second}` : ''} at ${nameOf(point)}`;
			if (faults.length > 0) broken.push(`${what}: ${faults.join(' ').replace(/\s+/g, ' ')}`);
		}
		if (STEP === 1) console.log(`${name}: ${cases.length} points, ${cases.length - broken.length} held`);
		expect(broken).toEqual([]);
	},
);

it('the page says how many points each scenario has', () => {
	const rows = SCENARIOS.map(({ name }) => {
		const [once, twice] = numbers.get(name) ?? [0, 0];
		return `| ${name} | ${once} | ${twice} |`;
	});
	expectTableOnPage(PAGE, 'points', '| scenario | points | with a second trouble |', rows);
});

/** What stands of a crawl at a point: in the execution's data, in its custom data, in n8n's log. */
async function standingAt(point: Point): Promise<string[]> {
	const { proxy } = await World.open(CRAWL_SCENARIO);
	const { baseUrl } = proxy;
	const stop = new AbortController();
	let live: IRunExecutionData | undefined;
	let standing: string[] = [];
	const reached = () => {
		const { [`node:${NODE}`]: context } = live?.executionData?.contextData ?? {};
		const entries = Object.values((context?.webDataJobs ?? {}) as Record<string, { state: string; id?: string }>);
		const [entry] = entries;
		const custom = Object.keys(live?.resultData.metadata ?? {});
		standing = [
			entry ? `\`${entry.state}\`${entry.id === undefined ? '' : ', its ID'}` : 'nothing',
			custom.length === 0 ? 'nothing' : custom.length === 1 ? 'its ID' : 'its ID, how far it is',
			(logged.at(-1) ?? '').replace(/^.*item 0: /, '').replace(UUID, 'ID') || 'nothing',
		];
		stop.abort();
	};
	proxy.arm({ point, then: 'pass', reached });
	const run = { credential: { baseUrl, apiKey: KEY }, signal: stop.signal };
	const options = await executionOptions({ baseUrl }, CRAWL, run);
	await runWorkflow({ ...options, pinData: { Items: [{ json: {} }] }, onStarted: (data) => (live = data) });
	return standing;
}

/** What a Retry of it finds where n8n was killed at a point. */
async function foundAfterKill(point: Point): Promise<string> {
	const { proxy, sandbox } = await World.open(CRAWL_SCENARIO);
	const { baseUrl } = proxy;
	const stop = new AbortController();
	proxy.arm({ point, then: 'swallow', reached: () => stop.abort() });
	const first = await CRAWL_SCENARIO.run({ baseUrl, apiKey: KEY, signal: stop.signal, isKilled: true }, sandbox);
	const begun = sandbox.stats().starts.total;
	proxy.open();
	await after(60_000);
	const { executionId, killed: stored } = first;
	const retried = await CRAWL_SCENARIO.retry({ executionId, stored }, { baseUrl, apiKey: KEY_AFTERWARDS }, sandbox);
	expect([retried.isOk, retried.items.length, sandbox.stats().starts.total]).toEqual([true, 5, 1]);
	return begun === 0
		? 'no job: starts it'
		: `its job in the service's list${/Found/.test(retried.said) ? ', and says so' : ''}`;
}

it('the page shows what is stored at each request of a crawl, and what its Retry finds after a kill there', async () => {
	const { points } = await referenceOf(CRAWL_SCENARIO);
	const rows: string[] = [];
	for (const point of points.filter(({ request }) => !/#[3-9]/.test(request))) {
		const cells = [...(await standingAt(point)), await foundAfterKill(point)];
		rows.push(
			`| ${nameOf(point)
				.replace(/, (?=before|after)/, '`, ')
				.replace(/^/, '`')} | ${cells.join(' | ')} |`,
		);
	}
	const head =
		"| at this request | in the execution's data | in its custom data | the last line in n8n's log | after a kill, Retry finds |";
	expectTableOnPage(PAGE, 'money', head, rows);
});
