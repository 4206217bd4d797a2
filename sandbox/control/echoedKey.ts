import { readFaultRule } from './faultRule.ts';
import type { Fault } from './faultRule.ts';

const PLACE = '{key}';

/**
 * The fault with the key of the request wherever its texts hold `{key}`: a service that repeats it in an
 * error, a reason, a state or an id.
 */
export function withKey(fault: Fault, authorization: string | undefined): Fault {
	const text = JSON.stringify(fault);
	if (!text.includes(PLACE)) return fault;
	const key = authorization?.split(' ')[1] ?? '';
	return readFaultRule(JSON.parse(text.replaceAll(PLACE, JSON.stringify(key).slice(1, -1))));
}
