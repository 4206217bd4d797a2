/**
 * The unit tests that say what a room of nodes/service promises, by their names. Those of the rooms above
 * come by as well, but take long to see little: what only they notice is worth a test in its own place.
 */
export const TESTS_OF_ROOMS: Record<string, readonly string[]> = {
	http: [
		'answer',
		'answerWords',
		'bodies',
		'client',
		'connectionProof',
		'credential',
		'failure',
		'nesting',
		'networkFailure',
		'refusal',
		'refusedOptions',
		'retry',
		'retryAfter',
		'secrets',
		'sendForm',
		'sending',
		'shortText',
		'spellings',
		'transport',
	],
	limits: [
		'callPace',
		'callRuns',
		'calls',
		'client',
		'exactWaits',
		'exchange',
		'fairQueue',
		'patience',
		'pauseBoard',
		'queues',
		'starts',
		'turns',
	],
	jobs: [
		'cancelOnStop',
		'exactWaits',
		'freeStarts',
		'goneJob',
		'jobInWork',
		'jobKinds',
		'jobs',
		'jobWatch',
		'ledger',
		'lostAnswer',
		'lostJob',
		'lostSearch',
		'patience',
		'pendingStart',
		'schedule',
		'sentStart',
		'targets',
		'waitDeadline',
		'waitFailures',
		'waitLimits',
		'waitStop',
	],
	form: ['asciiName', 'form', 'sendForm'],
	webhooks: ['bells', 'webhooks'],
	lostStarts: ['findLostStart', 'listings', 'lostJob', 'matchLost', 'searchedStart', 'serverClock'],
	sessions: ['closeSession', 'findStray', 'openSession', 'sessionList', 'sessions'],
	results: ['firstRunning', 'next', 'pageErrors', 'pages', 'pagesLimits', 'pagesParts', 'warnings'],
};

/** The room that a file of nodes/service stands in; undefined for any other path. */
export function roomOf(path: string): string | undefined {
	return /nodes[\\/]service[\\/](\w+)[\\/]\w+\.ts$/.exec(path)?.[1];
}
