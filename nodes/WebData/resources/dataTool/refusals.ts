import type { Explained } from '../../../operation/operation';
import { isJsonObject, readErrorText } from '../../../service/http/answer';
import { shorten } from '../../../service/http/failure';
import type { ServiceFailure } from '../../../service/http/failure';
import type { JsonObject } from '../../../service/http/transport';
import { webAddress } from '../../../text/addresses';
import { trimEnd } from '../../../text/ends';
import { isText } from '../../../text/values';

const TERMS_REQUIRED = 'THIRD_PARTY_DATA_TERMS_REQUIRED';

/**
 * The meaning of a refusal before anything has run: 403 for terms that nobody has accepted, which only a person can, or
 * for an account that has no access (docs/reference/service-notes.md#data-tools). Undefined for any other failure.
 */
export function explainRefusal({ httpCode, answer }: ServiceFailure, values: JsonObject): Explained | undefined {
	if (httpCode !== 403 || !answer) return undefined;
	const said = trimEnd(readErrorText(answer), /[.\s]/);
	const words = said === '' ? '' : ` The service says: ${said}.`;
	if (answer.code !== TERMS_REQUIRED) {
		const title = 'This account has no access to data tools';
		return { title, message: `${title}: ask Firecrawl to open them for your team. Nothing was charged.${words}` };
	}
	const { provider } = values;
	const action = isJsonObject(answer.requiresAction) ? answer.requiresAction : {};
	const { terms, version, url } = action;
	const name = isText(provider) ? shorten(provider, 80) : 'The provider';
	const which = [isText(terms) && shorten(terms, 120), isText(version) && `version ${shorten(version, 40)}`];
	const listed = which.filter(isText).join(', ');
	const where = isText(url) && webAddress(url) ? `at ${shorten(url, 300)}` : 'in Firecrawl’s dashboard';
	const title = `${name} wants its terms accepted first`;
	return {
		title,
		message: `${title}${listed === '' ? '' : ` (${listed})`}: an admin of your Firecrawl organization accepts them ${where}, then run this again. Nothing was charged.${words}`,
		details: { code: TERMS_REQUIRED, ...(isText(url) && { url }), ...(isText(terms) && { terms }) },
	};
}
