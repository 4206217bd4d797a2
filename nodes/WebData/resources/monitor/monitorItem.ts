import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { isJsonObject } from '../../../service/http/answer';
import type { JsonObject } from '../../../service/http/transport';
import { withoutSecretSettings } from '../../../service/secrets/shownSettings';
import { fromList } from '../../fields/basic/fromList';
import { pathId } from '../../fields/basic/pathId';
import { withIsoDates } from '../../operation/recordFields';
import type { CallAnswer, ItemDraft, KnownById } from '../../operation/operation';

/** The id of the monitor that an operation is about. */
export const monitorId: INodeProperties = fromList(
	pathId('Monitor ID', 'monitorId', 'ID of the monitor, from the output of Create or Get Many'),
	'monitorGetMany',
);

/** What to say of one that the service does not know. */
export const aboutMonitor: KnownById = {
	id: 'monitorId',
	what: 'monitor',
	orElse: 'it was deleted',
	from: 'Create and Get Many',
};

/** One monitor as the item of a call (shape `monitor`). */
export function monitorItems({ body }: CallAnswer): ItemDraft[] | undefined {
	if (!isJsonObject(body.data)) return undefined;
	return [{ json: shown(body.data) }];
}

/** With times in ISO 8601, and without what would let others call its webhook or log in to its sites. */
function shown(monitor: JsonObject): IDataObject {
	return withoutSecretSettings(withIsoDates(monitor)) as IDataObject;
}

/** The list under `data`, each as it is shown. */
export function dataList({ data }: JsonObject): IDataObject[] | undefined {
	if (!Array.isArray(data)) return undefined;
	return data.filter(isJsonObject).map(shown);
}
