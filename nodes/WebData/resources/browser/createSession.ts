import type { IDataObject } from 'n8n-workflow';

import { sessionPrice } from '../../cost/browserPrices';
import { additionalFields } from '../../fields/basic/additionalFields';
import { maxCredits } from '../../fields/basic/maxCredits';
import { optionList } from '../../fields/basic/optionList';
import { withIsoDates } from '../../operation/recordFields';
import type { ItemDraft, SessionOperation, SessionStory } from '../../operation/operation';
import { withoutBrowsers } from './refusals';
import {
	closedUsage,
	idleSecondsOf,
	manySessionsOptions,
	sessionOptions,
	storedLife,
} from './session';

function toItem({ id, opened }: SessionStory): ItemDraft {
	const told = Object.entries(withIsoDates(opened)).filter(([name]) => name !== 'success');
	return { json: { id, ...(Object.fromEntries(told) as IDataObject) } };
}

export const createSession: SessionOperation = {
	kind: 'session',
	value: 'createSession',
	name: 'Create Session',
	action: 'Create browser session',
	description:
		'Open a browser for several nodes to work in. It costs credits by the minute until Close Session runs: add that to the error branch, too.',
	request: { method: 'POST', path: '/v2/interact', bucket: 'interact' },
	toItem,
	explain: withoutBrowsers,
	idleSeconds: idleSecondsOf,
	usage: closedUsage,
	worstCase: sessionPrice,
	fields: [
		...storedLife,
		optionList(...sessionOptions, ...manySessionsOptions, maxCredits, additionalFields),
	],
};
