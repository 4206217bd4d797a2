import type { JobKind } from '../../service/jobs/jobKinds';
import { resources } from '../../WebData/resources';

/** A resource whose jobs the feed lists and Get collects. */
export interface JobResource {
	resource: string;
	name: string;
	kind: JobKind;
}

const jobResources: JobResource[] = resources.flatMap(({ value, name, operations }) =>
	operations.flatMap((operation) =>
		operation.kind === 'getJob' && operation.job.listed
			? [{ resource: value, name, kind: operation.job }]
			: [],
	),
);

/** By the name that the feed has for them; checks of monitors stand in a list of their own. */
export const byEndpoint = new Map(
	jobResources.flatMap((one) => {
		const { endpoint } = one.kind.listed?.started.query ?? {};
		return typeof endpoint === 'string' ? [[endpoint, one] as const] : [];
	}),
);
