import type { IDataObject } from 'n8n-workflow';

import { isJsonObject } from '../../../service/http/answer';
import type { JsonObject } from '../../../service/http/transport';
import { withoutSecretSettings } from '../../../service/secrets/shownSettings';
import { returnAllOrLimit } from '../../fields/basic/list';
import { choiceOf, minuteOf } from '../../operation/choice';
import type { ListOperation } from '../../operation/operation';

/**
 * The running crawls as the service gives them (SERVICE section 2.4), with the names of that section:
 * older servers say team_id (CONTRACT section 14). Everything else passes through unchanged.
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
		of: (one) => choiceOf(one, one.url, minuteOf(one.created_at)),
	},
	fields: returnAllOrLimit,
};
