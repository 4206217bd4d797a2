import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { isJsonObject } from '../../../service/http/answer';
import type { JsonObject } from '../../../service/http/transport';
import { sessionPrice } from '../../cost/browserPrices';
import { additionalFields } from '../../fields/basic/additionalFields';
import { maxCredits } from '../../fields/basic/maxCredits';
import { optionList } from '../../fields/basic/optionList';
import type {
	ItemDraft,
	SessionOperation,
	SessionStep,
	SessionStory,
} from '../../operation/operation';
import { codeFields, codeTimeoutMs, language, timeLimit } from './code';
import { codeFailure, codeOutput } from './codeRun';
import { sessionRefusal, unclearRun, withoutBrowsers } from './refusals';
import {
	closedUsage,
	endOf,
	idleSecondsOf,
	manySessionsOptions,
	sessionOptions,
	storedLife,
} from './session';

/** A field of a step is no part of the request that opens the session. */
function withoutRouting(field: INodeProperties): INodeProperties {
	const ofStep = { ...field };
	delete ofStep.routing;
	return ofStep;
}

const steps: INodeProperties = {
	displayName: 'Steps',
	name: 'steps',
	type: 'fixedCollection',
	typeOptions: {
		multipleValues: true,
		sortable: true,
		isNeeded: true,
		maxItems: 50,
		shorthand: 'code',
	},
	placeholder: 'Add step',
	default: { step: [{ language: 'node', code: '', timeout: 30 }] },
	description:
		'What to run, one step after the other in the same browser, at most 50. If one fails, the rest do not run.',
	options: [
		{
			displayName: 'Step',
			name: 'step',
			values: [language, ...codeFields(), timeLimit].map(withoutRouting),
		},
	],
};

function stepsOf({ steps: given }: JsonObject): SessionStep[] {
	if (!Array.isArray(given)) return [];
	return given.filter(isJsonObject).map((step) => {
		const { language: writtenIn, code: text, timeout } = step;
		const body = { code: text, language: writtenIn, timeout };
		return { body, timeoutMs: codeTimeoutMs(body) };
	});
}

/** The output of the last step, and where there are several, of each. */
function toItem({ id, answers, closed = {}, steps: sent }: SessionStory): ItemDraft | undefined {
	const outputs = answers.map((answer) => codeOutput(answer));
	const last = outputs.at(-1);
	if (!last) return undefined;
	const each = outputs.map((output, index): IDataObject => {
		return { language: String(sent[index]?.body.language), ...output };
	});
	return {
		json: {
			sessionId: id,
			...last,
			...(each.length > 1 && { steps: each }),
			...endOf(closed),
		},
	};
}

const MAY_HAVE_ENDED =
	'A session ends when its Lifetime or its Idle Limit is over, also while rate limits hold a step back.';

export const runInNewSession: SessionOperation = {
	kind: 'session',
	value: 'runInNewSession',
	name: 'Run in a New Session',
	action: 'Run code in new browser',
	description: 'Open a browser, run one or more steps of code in it, and always close it',
	request: { method: 'POST', path: '/v2/interact', bucket: 'interact' },
	steps: {
		of: stepsOf,
		request: {
			method: 'POST',
			path: '/v2/interact/{sessionId}/execute',
			bucket: 'interactExecute',
		},
		failureIn: (answer, { body }, id) =>
			codeFailure({ body: answer, sent: body }, `in session ${id}`, ''),
		explain: (failure, id) => {
			const refused = sessionRefusal(failure, id) ?? unclearRun(failure, '');
			if (refused === undefined || failure.httpCode !== 410) return refused;
			return { ...refused, message: `The session ${id} has ended. ${MAY_HAVE_ENDED}` };
		},
		toOutput: codeOutput,
	},
	toItem,
	explain: withoutBrowsers,
	idleSeconds: idleSecondsOf,
	usage: closedUsage,
	worstCase: sessionPrice,
	fields: [
		steps,
		...storedLife,
		optionList(...sessionOptions, ...manySessionsOptions, maxCredits, additionalFields),
	],
};
