import { resources } from '../../nodes/WebData/resources';
import type { StartJobOperation } from '../../nodes/operation/operation';
import type { JobPlan } from '../../nodes/run/job/jobPlan';
import { suspensionBlocker } from '../../nodes/run/suspension/suspension';
import type { SuspensionContext } from '../../nodes/run/suspension/suspension';
import { executionStopped } from '../../nodes/service/http/failure';
import { crawlJob } from '../../nodes/service/jobs/jobKinds';

const starts = resources
	.flatMap(({ operations }) => operations)
	.filter((one): one is StartJobOperation => one.kind === 'startJob');

const startOf = (name: string): StartJobOperation => {
	const found = starts.find(({ job }) => job.name === name);
	if (!found) throw new Error(name);
	return found;
};

const plan = (more: Partial<JobPlan> = {}): JobPlan => ({
	kind: crawlJob,
	item: 0,
	key: 'crawl:0:0',
	sent: {},
	ifUncertain: 'tell',
	choice: 'pages',
	failOnTimeout: true,
	failOnFailure: true,
	failOnPartial: false,
	mostPages: undefined,
	failedPages: false,
	storedFiles: [],
	concurrency: 10,
	maxCredits: undefined,
	watched: true,
	frees: true,
	maxWaitMs: 1000,
	interval: null,
	...more,
});

const PLACE: SuspensionContext = {
	isTool: false,
	isFurtherTry: false,
	resumeUrl: 'https://n8n.example.com/webhook-waiting/7?signature=x',
	serviceUrl: 'https://api.example.com',
};
const why = (place: Partial<SuspensionContext>, plans = [plan()], name = 'crawl') =>
	suspensionBlocker(startOf(name), plans, { ...PLACE, ...place });

it('an execution can be suspended where the service can call n8n', () => {
	expect(why({})).toBeUndefined();
	expect(why({}, [plan(), plan({ watched: false, frees: false })])).toBeUndefined();
	expect(why({}, [plan({ sent: undefined })])).toBeUndefined();
	expect(why({}, [plan()], 'batchScrape')).toBeUndefined();
});

it.each([
	[{ isFurtherTry: true }, /^this is a further try of Retry On Fail/],
	[{ isTool: true }, /^an AI agent waits for its tool$/],
	[{ resumeUrl: '' }, /^n8n has no address/],
	[{ resumeUrl: 'not an address' }, /^n8n has no address/],
	[
		{ resumeUrl: 'http://n8n.example.com/webhook-waiting/7' },
		/^the service calls https addresses only, and n8n is at http:\/\/n8n\.example\.com: set/,
	],
	[
		{ resumeUrl: 'http://localhost:5678/webhook-waiting/7' },
		/^the service cannot call n8n at http:\/\/localhost:5678: set N8N_WEBHOOK_URL/,
	],
	[{ resumeUrl: 'https://192.168.0.4/webhook-waiting/7' }, /cannot call n8n at https:\/\/192\.168\.0\.4/],
])('is held, and says why: %j', (place, text) => {
	expect(why(place)).toMatch(text);
});

it.each(['http://localhost:3002', 'http://10.1.2.3', 'http://firecrawl:3002'])(
	'a service of one’s own at %s may call n8n wherever that is',
	(serviceUrl) => {
		expect(why({ serviceUrl, resumeUrl: 'http://localhost:5678/webhook-waiting/7' })).toBeUndefined();
	},
);

it('is held for an item that asks to hold it, for one that adds to a job, and for jobs of an earlier try', () => {
	expect(why({}, [plan(), plan({ item: 4, frees: false })])).toBe('item 4 asks to hold it');
	const adding = plan({ item: 2, sent: { appendToId: 'x' } });
	expect(why({}, [plan(), adding], 'batchScrape')).toMatch(/added to a job \(item 2\)$/);
	const failure = executionStopped({ mayHaveExecuted: true });
	const open = { kind: 'open', by: 'kill', isTraceable: true, isOfOther: () => false } as const;
	const past = { ...open, sinceMs: 0, lostAt: 0, failure };
	for (const earlier of [{ known: { id: 'x', ageMs: 0 } }, { past }]) {
		expect(why({}, [plan(), plan(earlier)])).toMatch(/^jobs of an earlier try/);
	}
});

it('the choice is there for the kinds of jobs whose end the service tells, and for no other', () => {
	const offered = starts.map(({ job, fields }) => {
		const wait = fields.find(({ name }) => name === 'waitForCompletion');
		const values = (wait?.options ?? []).map((option) => ('value' in option ? option.value : ''));
		return [job.name, values.includes('free')];
	});
	expect(offered).toEqual(starts.map(({ job }) => [job.name, job.endEvents !== undefined]));
	const telling = starts.filter(({ job }) => job.endEvents).map(({ job }) => job.name);
	expect([...new Set(telling)].sort()).toEqual(['agent', 'batchScrape', 'crawl', 'extract']);
});
