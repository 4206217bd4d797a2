import type { Explained } from '../../../operation/operation';
import { isJsonObject, readErrorText, withCode } from '../../../service/http/answer';
import { shorten } from '../../../service/http/failure';
import type { ServiceFailure } from '../../../service/http/failure';
import type { JsonObject } from '../../../service/http/transport';
import { webAddress } from '../../../text/addresses';
import { trimEnd } from '../../../text/ends';
import { isText } from '../../../text/values';

const TERMS_REQUIRED = 'THIRD_PARTY_DATA_TERMS_REQUIRED';

/** Why the service refuses a data tool, by its code, and where it gives none, by its words; what to do about it. */
const REASONS: ReadonlyArray<{ code?: string; says?: RegExp; title: string; advice: string }> = [
	{
		code: 'AGENT_INDEX_ONLY',
		title: 'This API key is not confirmed yet',
		advice: 'confirm the sign-up of its agent with Firecrawl, then run this again',
	},
	{
		code: 'paid_plan_required',
		title: 'This data tool needs a paid plan',
		advice: 'choose a larger plan with Firecrawl, or another tool',
	},
	{
		code: 'insufficient_credits',
		title: 'The account does not have enough credits for this data tool',
		advice: 'buy credits with Firecrawl, or narrow the inputs: what it may cost at most has to be there',
	},
	{
		code: 'unknown_provider',
		title: 'There is no such provider',
		advice: 'Data Tool · Find names those that there are',
	},
	{
		says: /api key is required/i,
		title: 'Data tools need an API key',
		advice: 'choose a Web Data API (Firecrawl) credential in the node',
	},
	{
		says: /zero data retention/i,
		title: 'This team keeps no data, and data tools need that',
		advice: 'ask Firecrawl, or use another team',
	},
	{
		says: /disabled for this organization/i,
		title: 'Your organization has turned this provider off',
		advice: 'an admin turns it on in Firecrawl’s dashboard',
	},
	{
		says: /not enabled for this team/i,
		title: 'This team has no data tools',
		advice: 'ask Firecrawl to open them for your team',
	},
];

/** Statuses of refusals before anything has run. */
const REFUSALS = [402, 403, 404];

/**
 * The meaning of a refusal before anything has run (docs/reference/service-notes.md#data-tools): terms that only a
 * person can accept, no access, no credits. Undefined for any other failure.
 */
export function explainRefusal({ httpCode, answer }: ServiceFailure, values: JsonObject): Explained | undefined {
	if (!answer || httpCode === undefined || !REFUSALS.includes(httpCode)) return undefined;
	const { code } = answer;
	const said = trimEnd(withCode(readErrorText(answer), answer), /[.\s]/);
	if (code === TERMS_REQUIRED) return termsRequired(answer, values, said);
	const reason = REASONS.find((one) => (one.code === undefined ? one.says?.test(said) : one.code === code));
	if (!reason && httpCode !== 403) return undefined;
	const { title, advice } = reason ?? { title: 'Firecrawl refuses this data tool', advice: undefined };
	const words = said === '' ? '' : ` The service says: ${said}.`;
	const told = advice === undefined ? `${title}.` : `${title}: ${advice}.`;
	return {
		title,
		message: `${told}${words}`,
		cost: 'Nothing ran, and nothing was charged.',
		...(isText(code) && { details: { code: shorten(code, 80) } }),
	};
}

function termsRequired(answer: JsonObject, { provider }: JsonObject, said: string): Explained {
	const action = isJsonObject(answer.requiresAction) ? answer.requiresAction : {};
	const { terms, version, url } = action;
	const name = isText(provider) ? shorten(provider, 80) : 'The provider';
	const which = [isText(terms) && shorten(terms, 120), isText(version) && `version ${shorten(version, 40)}`];
	const listed = which.filter(isText).join(', ');
	const where = isText(url) && webAddress(url) ? `at ${shorten(url, 300)}` : 'in Firecrawl’s dashboard';
	const title = `${name} wants its terms accepted first`;
	const words = said === '' ? '' : ` The service says: ${said}.`;
	return {
		title,
		message: `${title}${listed === '' ? '' : ` (${listed})`}: an admin of your Firecrawl organization accepts them ${where}, then run this again.${words}`,
		cost: 'Nothing ran, and nothing was charged.',
		details: { code: TERMS_REQUIRED, ...(isText(url) && { url }), ...(isText(terms) && { terms }) },
	};
}
