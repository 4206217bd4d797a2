import type { JsonObject } from '../../service/http/transport';
import type { ServiceClient } from '../../service/limits/client';
import { readJobMark } from '../marks/jobMark';
import { hasSeenAnyOf } from '../marks/newJobs';
import { newestJobs } from './activityFeed';
import type { JobSettings } from './jobSettings';
import { byEndpoint } from './listedKinds';

/**
 * Whether a key is one of the account that a mark is of. The service names no account, but each lists its own
 * jobs: one that an earlier poll has seen proves it. A list of IDs is the same with any key. Throws a
 * ServiceFailure.
 */
export async function isSameAccount(
	client: ServiceClient,
	{ which }: JobSettings,
	stored: JsonObject,
): Promise<boolean> {
	if (which === 'ids') return true;
	const mark = readJobMark(stored, [...byEndpoint.keys()]);
	for (const endpoint of Object.keys(mark.since)) {
		const jobs = await newestJobs(client, endpoint);
		if (hasSeenAnyOf(mark, endpoint, jobs)) return true;
	}
	return false;
}
