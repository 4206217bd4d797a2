// The rooms of the house and who may enter them, checked by `npm run lint`. test/package/layers.test.ts
// breaks each rule once and sees it speak up.

/** Rooms from the lowest to the highest: none imports from one that stands after it. */
const inOrder = (name, comment, rooms) =>
	rooms.slice(0, -1).map((room, i) => ({
		name: `${name}-${i + 1}`,
		comment,
		severity: 'error',
		from: { path: room, pathNot: rooms.slice(0, i) },
		to: { path: rooms.slice(i + 1), pathNot: rooms.slice(0, i + 1) },
	}));

/** A part that the rest of the package enters only through the files listed; what measures it looks inside. */
const doors = (room, files) => ({
	name: `doors-${room.split('/').at(-1)}`,
	comment: `${room} is entered through: ${files.join(', ')}`,
	severity: 'error',
	from: { pathNot: [`^${room}/`, '^test/', '^tools/truth/'] },
	to: { path: `^${room}/`, pathNot: files.map((file) => `^${room}/${file}\\.ts$`) },
});

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
	forbidden: [
		{
			name: 'no-circle',
			comment: 'no file needs itself, not even for a type',
			severity: 'error',
			from: {},
			to: { circular: true },
		},
		{
			name: 'no-circle-of-rooms',
			comment: 'between two folders, imports go one way',
			severity: 'error',
			scope: 'folder',
			from: { path: '^(nodes|sandbox)/' },
			to: { circular: true },
		},
		{
			name: 'no-missing-file',
			comment: 'every import leads somewhere',
			severity: 'error',
			from: {},
			to: { couldNotResolve: true, path: '^\\.' },
		},
		{
			name: 'package-alone',
			comment: 'the package needs n8n-workflow and nothing else at run time',
			severity: 'error',
			from: { path: '^(nodes|credentials)/' },
			to: { pathNot: ['^(nodes|credentials)/', '(^|/)n8n-workflow(/|$)', '^(node:)?crypto$'] },
		},
		{
			name: 'service-alone',
			comment:
				'the client of the service knows nothing of nodes, resources or n8n; of texts only how to cut their ends, say an amount and read foreign values',
			severity: 'error',
			from: { path: '^nodes/service/' },
			to: { pathNot: ['^nodes/service/', '^nodes/text/(amounts|ends|values)\\.ts$', '^(node:)?crypto$'] },
		},
		{
			name: 'text-alone',
			comment: 'rules about texts know nothing of where the texts come from',
			severity: 'error',
			from: { path: '^nodes/text/' },
			to: { pathNot: ['^nodes/text/', '^(node:)?crypto$'] },
		},
		{
			name: 'proof-alone',
			comment: 'the look-up of values knows texts, and nothing of where they come from',
			severity: 'error',
			from: { path: '^nodes/proof/' },
			to: { pathNot: ['^nodes/(proof|text)/'] },
		},
		{
			name: 'research-alone',
			comment:
				'research knows neither n8n nor HTTP: of the service only its clock and its rules for retries; values are looked up by proof',
			severity: 'error',
			from: { path: '^nodes/research/' },
			to: {
				pathNot: ['^nodes/(research|text|proof)/', '^nodes/service/http/(failure|retry|time)\\.ts$'],
			},
		},
		...inOrder('research', 'contract <- model <- claims <- report <- json <- row, history, check <- the run', [
			'^nodes/research/contract/',
			'^nodes/research/model/',
			'^nodes/research/claims/',
			'^nodes/research/report/',
			'^nodes/research/json/',
			'^nodes/research/row/',
			'^nodes/research/history/',
			'^nodes/research/check/',
			'^nodes/research/',
		]),
		doors('nodes/research', [
			'research',
			'fillRow',
			'checkText',
			'credits',
			'contract/\\w+',
			'row/columns',
			'row/cellHistory',
		]),
		{
			name: 'sandbox-alone',
			comment: 'the sandbox shares no code with what it tests',
			severity: 'error',
			from: { path: '^sandbox/' },
			to: { path: '^(nodes|credentials|engine|n8n|demo|test)/' },
		},
		{
			name: 'resources-apart',
			comment: 'a resource does not know another one',
			severity: 'error',
			from: {
				path: '^nodes/WebData/resources/([^/.]+)',
				pathNot: '^nodes/WebData/resources/index',
			},
			to: { path: '^nodes/WebData/resources/', pathNot: '^nodes/WebData/resources/$1[/.]' },
		},
		...inOrder(
			'service',
			'form, secrets <- http <- limits <- the client <- jobs <- startRecovery <- sessions <- results',
			[
				'^nodes/service/(form|secrets)',
				'^nodes/service/http/',
				'^nodes/service/limits/',
				'^nodes/service/client\\.ts$',
				'^nodes/service/jobs/',
				'^nodes/service/startRecovery/',
				'^nodes/service/sessions\.ts$',
				'^nodes/service/results/',
			],
		),
		...inOrder('node', 'fields/basic <- fields <- cost <- operation <- run <- panel, resources <- the nodes', [
			'^nodes/fields/(basic|field)\\.ts$',
			'^nodes/fields/',
			'^nodes/cost/',
			'^nodes/operation/',
			'^nodes/run/',
			'^nodes/WebData/(panel|resources)/',
			'^nodes/Web',
		]),
		...inOrder('resources', 'panel <- resources <- Web Data', [
			'^nodes/WebData/panel/',
			'^nodes/WebData/resources/',
			'^nodes/WebData/',
		]),
		...inOrder(
			'run',
			'input, files, connection, output, paid <- ledger <- memory <- changes <- job <- errors <- pages, calls, lists, sessions, suspension <- jobs <- the run',
			[
				'^nodes/run/(input|files|connection|output|paid)/',
				'^nodes/run/ledger/',
				'^nodes/run/memory/',
				'^nodes/run/changes/',
				'^nodes/run/job/',
				'^nodes/run/errors/',
				'^nodes/run/(pages|calls|lists|sessions|suspension)/',
				'^nodes/run/jobs/',
				'^nodes/run/',
			],
		),
		...inOrder('sandbox', 'tools <- what it plays <- service <- requests <- routes <- the server', [
			'^sandbox/(runtime|text|html|web|files|http|account)/',
			'^sandbox/(?!service/|requests/|routes/)[^/]+/',
			'^sandbox/service/',
			'^sandbox/requests/',
			'^sandbox/routes/',
			'^sandbox/',
		]),
		doors('nodes/service', [
			'form',
			'secrets',
			'http/(answer|answerBody|credential|failure|networkFailure|retry|time|transport|withoutKey)',
			'client',
			'limits/(knownIds|limits)',
			'jobs/(jobKinds|jobOutcome|readEnd|wait)',
			'startRecovery/recoverStart',
			'sessions',
			'results/(statusChecks|listParts|pageErrors|pages)',
			'webhooks',
		]),
		{
			name: 'limits-inside',
			comment: 'what the limits are made of is seen by nobody else: ask limits.ts',
			severity: 'error',
			from: { pathNot: '^nodes/service/limits/(limits|lane|pauses|fairQueue)\\.ts$' },
			to: { path: '^nodes/service/limits/(lane|pauses|fairQueue)\\.ts$' },
		},
		doors('nodes/WebData/resources', ['index', 'crawl']),
		doors('nodes/run', [
			'runNode',
			'calls/callOnce',
			'connection/(connect|processClock|runContext)',
			'errors/unexpectedError',
			'files/binaryFile',
			'input/readFields',
			'ledger/(crash|creditAccount|entries|writing)',
			'memory/memory',
			'output/(hints|itemError|outputItem)',
			'pages/pagesOnce',
			'price/(priceOutput|priceRun|wantsPrice)',
			'suspension/resume',
		]),
		{
			name: 'triggers-above',
			comment: 'the nodes that run do not know the triggers',
			severity: 'error',
			from: { pathNot: ['^nodes/WebData(Poll)?Trigger/', '^test/'] },
			to: { path: '^nodes/WebData(Poll)?Trigger/' },
		},
		...inOrder('poll-trigger', 'marks <- jobs <- events <- the trigger', [
			'^nodes/WebDataPollTrigger/marks/',
			'^nodes/WebDataPollTrigger/jobs/',
			'^nodes/WebDataPollTrigger/events/',
			'^nodes/WebDataPollTrigger/',
		]),
		...inOrder('trigger', 'panel <- monitor <- receive <- the trigger', [
			'^nodes/WebDataTrigger/panel/',
			'^nodes/WebDataTrigger/monitor/',
			'^nodes/WebDataTrigger/receive/',
			'^nodes/WebDataTrigger/',
		]),
		doors('sandbox/routes', ['resources', 'control']),
		doors('sandbox/site', ['pages', 'server', 'weeks']),
	],
	options: {
		doNotFollow: { path: 'node_modules' },
		// Imports of types count.
		tsPreCompilationDeps: true,
	},
};
