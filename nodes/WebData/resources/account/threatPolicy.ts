import type { IDataObject } from 'n8n-workflow';

import { isJsonObject } from '../../../service/http/answer';
import { withIsoDates } from '../../operation/recordFields';
import type { CallAnswer, ItemDraft } from '../../operation/operation';

/** The URL safety policy of the organization as one item (shape threatProtectionPolicy). */
export function policyItems({ body }: CallAnswer): ItemDraft[] | undefined {
	if (!isJsonObject(body.data)) return undefined;
	return [{ json: withIsoDates(body.data) as IDataObject }];
}
