import type { Resource } from '../../operation/operation';
import { closeSession } from './closeSession';
import { createSession } from './createSession';
import { getMany } from './getMany';
import { interact } from './interact';
import { runCode } from './runCode';
import { runInNewSession } from './runInNewSession';
import { stopInteraction } from './stopInteraction';

export const browser: Resource = {
	value: 'browser',
	name: 'Browser',
	description: 'Log in, click and read where scraping is not enough: code or a prompt in a browser',
	operations: [
		runInNewSession,
		createSession,
		runCode,
		interact,
		getMany,
		closeSession,
		stopInteraction,
	],
	defaultOperation: 'runInNewSession',
};
