import type { IDataObject } from 'n8n-workflow';

import { isJsonObject } from '../../../service/http/answer';
import type { JsonObject } from '../../../service/http/transport';
import { withoutSecretSettings } from '../../../service/secrets/shownSettings';
import { returnAllOrLimit } from '../../fields/basic/list';
import { choiceOf, minuteOf } from '../../operation/choice';
import type { ListOperation } from '../../operation/operation';

/**
 * The running crawls as the service gives them (docs/service-notes.md#active-crawls). Older servers say
 * team_id instead of teamId. Everything else passes through unchanged.
 */
function readList(body: JsonObject): IDataObject[] | undefined {
	if (!Array.isArray(body.crawls)) return undefined;
	return body.crawls.filter(isJsonObject).map((crawl) => {
		const { team_id: olderTeamId, ...rest } = crawl;
		const settings = withoutSecretSettings(rest) as IDataObject;
		return { ...settings, teamId: rest.teamId ?? olderTeamId ?? null } as IDataObject;
	});
}

export const getActive: ListOperation = {
	kind: 'list',
	value: 'getActive',
	name: 'Get Many Active',
	action: 'Get many running crawls',
	description: 'List the crawls of your team that are running now, one item each',
	request: { method: 'GET', path: '/v2/crawl/active', bucket: 'crawlStatus' },
	unit: 'active crawl',
	readList,
	choices: {
		of: (one, timeZone) => choiceOf(one, one.url, minuteOf(one.created_at, timeZone)),
	},
	fields: returnAllOrLimit,
};
