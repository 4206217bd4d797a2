import type { INodeProperties } from 'n8n-workflow';

import { asFailure, ServiceFailure } from '../../service/failure';

/** The error for a value that a field does not allow. `value` is shown shortened. */
export function problem(field: INodeProperties, rule: string, value: unknown): ServiceFailure {
	const text = typeof value === 'string' ? value : jsonOf(value);
	const isQuoted = typeof value === 'string' && field.type !== 'json';
	const shown = isQuoted ? `"${text.slice(0, 80)}"` : text.slice(0, 80);
	const got = value === '' ? 'it is empty' : `it is ${shown}`;
	return new ServiceFailure({
		kind: 'badInput',
		reached: 'no',
		message: `"${field.displayName}" ${rule}, but ${got}. Nothing was sent.`,
	});
}

/** JSON knows no BigInt and no circles, and expressions can give both. */
function jsonOf(value: unknown): string {
	try {
		return JSON.stringify(value) ?? String(value);
	} catch {
		return typeof value === 'bigint' ? String(value) : 'a value that cannot be shown';
	}
}

/** The same error, told where in a list of groups it is: `"Formats" (number 2): …`. */
export function problemIn(
	field: INodeProperties,
	position: number | undefined,
	error: unknown,
): ServiceFailure {
	const where = position === undefined ? '' : ` (number ${position})`;
	const { kind, reached, message } = asFailure(error);
	return new ServiceFailure({
		kind,
		reached,
		message: `"${field.displayName}"${where}: ${message}`,
	});
}
