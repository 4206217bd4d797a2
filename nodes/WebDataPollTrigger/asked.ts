import { createHash } from 'node:crypto';

import type { IPollFunctions } from 'n8n-workflow';

import { refusedInput, ServiceFailure } from '../service/http/failure';
import type { JsonObject } from '../service/http/transport';
import { pollEvents } from './events';
import { isExpression } from './events/pollEvent';
import type { PollEvent, PollSettings } from './events/pollEvent';

/** What the panel asks for: an event and its settings. */
export interface Asked extends PollSettings {
	event: PollEvent;
}

/** Reads the panel. Throws a ServiceFailure where it holds an event that there is not. */
export function readAsked(ctx: IPollFunctions): Asked {
	const value = String(ctx.getNodeParameter('event'));
	const event = pollEvents.find((one) => one.value === value);
	if (!event) {
		throw new ServiceFailure({
			kind: 'badInput',
			reached: 'no',
			message: `This version of the node has no event "${value}": choose one in the panel.`,
		});
	}
	const { parameters } = ctx.getNode();
	const settings = event.fields.map(({ name, default: usual }) => ({
		name,
		value: ctx.getNodeParameter(name, usual),
		written: parameters[name] ?? usual,
	}));
	return {
		event,
		values: Object.fromEntries(settings.map(({ name, value: now }) => [name, now])),
		written: Object.fromEntries(settings.map(({ name, written }) => [name, written])),
	};
}

/** Names what a mark belongs to: what is watched, on which server and, where it counts, for which account. */
export function watchedName(
	{ event, ...settings }: Asked,
	{ server, account }: { server: string; account: string },
): string {
	const place = event.isOfAccount ? account : server;
	return fingerprint({ event: event.value, place, watched: event.watched(settings) });
}

/** Names the same for whatever account it is. */
export function subjectName({ event, ...settings }: Asked, { server }: { server: string }): string {
	return fingerprint({ event: event.value, server, watched: event.watched(settings) });
}

/** Names the settings as they are written. */
export function writtenName({ event, written }: Asked): string {
	return fingerprint({ event: event.value, written });
}

/** What to say where the settings name something else at each poll, so that nothing is ever compared. */
export function changesAlways({ event, written }: Asked): ServiceFailure {
	const names = event.fields.filter(({ name }) => isExpression(written[name]));
	const named = names.map(({ displayName }) => `"${displayName}"`).join(', ');
	return refusedInput(
		`${named || 'What is watched'} is another one at each poll, so there is never anything to compare: replace the expression by a fixed value, or by one that changes less often.`,
	);
}

function fingerprint(settings: JsonObject): string {
	return createHash('sha256').update(JSON.stringify(settings)).digest('base64url').slice(0, 16);
}
