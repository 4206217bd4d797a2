import type { IHookFunctions } from 'n8n-workflow';

import { ServiceFailure } from '../../service/http/failure';
import { readJobId } from '../../service/jobs/jobKinds';
import type { JsonObject } from '../../service/http/transport';
import { readFields } from '../../WebData/run/input/readFields';
import { monitorFields } from '../panel/websiteChanged';

/** What the panel asks for of Website Changed. */
export type Watching = { events: string[] } & ({ own: JsonObject } | { existingId: string });

const MOST_OF_NAME = 256;

/** Reads and checks the panel. Throws a ServiceFailure of kind badInput. */
export function readWatching(ctx: IHookFunctions): Watching {
	const isAtOnce = ctx.getNodeParameter('output', 'pages') === 'atOnce';
	const events = [isAtOnce ? 'monitor.page' : 'monitor.check.completed'];
	if (ctx.getNodeParameter('monitorBy', 'own') === 'existing') {
		return { events, existingId: readMonitorId(ctx) };
	}
	const { body } = readFields(monitorFields(), (name, fallback) =>
		ctx.getNodeParameter(name, fallback),
	);
	const name = `n8n: ${ctx.getWorkflow().name ?? 'workflow'}`.slice(0, MOST_OF_NAME);
	return { events, own: { name, ...body } };
}

function readMonitorId(ctx: IHookFunctions): string {
	const given = ctx.getNodeParameter('monitorId', '', { extractValue: true });
	const id = readJobId(given);
	if (id !== undefined) return id;
	throw new ServiceFailure({
		kind: 'badInput',
		reached: 'no',
		message:
			given === ''
				? 'Choose a monitor in "Existing Monitor", or let the trigger make its own.'
				: `"Existing Monitor" must be the ID of a monitor, but it is ${JSON.stringify(given).slice(0, 80)}.`,
	});
}
