import type { INodeProperties } from 'n8n-workflow';

import { interactPrice } from '../../cost/browserPrices';
import { additionalFields } from '../../fields/basic/additionalFields';
import { maxCredits } from '../../fields/basic/maxCredits';
import { optionList } from '../../fields/basic/optionList';
import type { CallAnswer, CallOperation, ItemDraft } from '../../operation/operation';
import { codeFields, codeTimeoutMs, language, timeLimit } from './code';
import { codeFailure, codeOutput } from './codeRun';
import { interactionRefusal, unclearRun } from './refusals';
import { scrapeId } from './session';

const STILL_OPEN =
	'The page is still open, and costs until Stop Interaction or its own idle limit.';

const by: INodeProperties = {
	displayName: 'Interact By',
	name: 'interactBy',
	type: 'options',
	options: [
		{ name: 'Code', value: 'code', description: '2 credits a minute' },
		{ name: 'Prompt', value: 'prompt', description: 'A task in plain words, 7 credits a minute' },
	],
	default: 'prompt',
	description: 'How to describe what to do on the page',
};

const prompt: INodeProperties = {
	displayName: 'Prompt',
	name: 'prompt',
	type: 'string',
	typeOptions: { rows: 4, maxLength: 10_000, isNeeded: true },
	default: '',
	displayOptions: { show: { interactBy: ['prompt'] } },
	placeholder: 'e.g. Open the second page of the results and read the prices',
	description: 'The task, at most 10,000 characters',
	routing: { send: { type: 'body', property: 'prompt' } },
};

const whenCode = { show: { interactBy: ['code'] } };

function toItems({ body, values }: CallAnswer): ItemDraft[] | undefined {
	const output = codeOutput(body);
	const { sessionId, liveViewUrl, interactiveLiveViewUrl, cdpUrl } = body;
	const links = { sessionId, liveViewUrl, interactiveLiveViewUrl, cdpUrl };
	const known = Object.entries(links).filter(([, value]) => typeof value === 'string');
	const { sessionId: session, ...others } = Object.fromEntries(known) as Record<string, string>;
	return (
		output && [
			{
				json: {
					scrapeId: String(values.scrapeId),
					...(session !== undefined && { sessionId: session }),
					...output,
					...others,
				},
			},
		]
	);
}

export const interact: CallOperation = {
	kind: 'call',
	value: 'interact',
	name: 'Interact',
	action: 'Click and type on scraped page',
	description:
		'Do something on a page that was scraped, by prompt or code. The page stays open for more: Stop Interaction closes it.',
	request: { method: 'POST', path: '/v2/scrape/{scrapeId}/interact', bucket: 'interactExecute' },
	toItems,
	failureIn: (answer) =>
		codeFailure(answer, `on the scrape ${String(answer.values.scrapeId)}`, STILL_OPEN),
	explain: (failure, values) =>
		interactionRefusal(failure, String(values.scrapeId)) ?? unclearRun(failure, STILL_OPEN),
	timeoutMs: codeTimeoutMs,
	worstCase: interactPrice,
	fields: [
		scrapeId,
		by,
		prompt,
		{ ...language, displayOptions: whenCode },
		...codeFields({
			required: false,
			typeOptions: { isNeeded: true },
			displayOptions: whenCode,
		}),
		timeLimit,
		optionList(maxCredits, additionalFields),
	],
};
