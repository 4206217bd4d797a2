import type { INodeProperties } from 'n8n-workflow';

import { failureOrThrow, ServiceFailure, refusedInput } from '../../../service/http/failure';
import { shorten } from '../../../service/http/shortText';

/** Longest piece of a value that is shown. */
const MAX_SHOWN = 80;

/** The error for a value that a field does not allow. `value` is shown shortened. */
export function validationError(
	field: INodeProperties,
	rule: string,
	value: unknown,
): ServiceFailure {
	const text = typeof value === 'string' ? value : jsonOf(value);
	const isQuoted = typeof value === 'string' && field.type !== 'json';
	const short = shorten(text, MAX_SHOWN);
	const shown = isQuoted ? `"${short}"` : short;
	return badInput(field, rule, value === '' ? 'it is empty' : `it is ${shown}`);
}

/** Throws that error where there is a fault. */
export function refuse(field: INodeProperties, fault: string | undefined, value: unknown): void {
	if (fault !== undefined) throw validationError(field, fault, value);
}

/** The error for a text or a list that is too long. `unit` is what its length is counted in. */
export function tooLong(
	field: INodeProperties,
	most: number,
	unit: 'characters' | 'entries',
	length: number,
): ServiceFailure {
	return badInput(field, `may have at most ${most} ${unit}`, `it has ${length}`);
}

function badInput({ displayName }: INodeProperties, rule: string, got: string): ServiceFailure {
	return refusedInput(`"${displayName}" ${rule}, but ${got}.`);
}

/** JSON knows no NaN, no BigInt and no circles, and expressions can give all of them. */
function jsonOf(value: unknown): string {
	if (typeof value === 'number') return String(value);
	try {
		return JSON.stringify(value) ?? String(value);
	} catch {
		return typeof value === 'bigint' ? String(value) : 'a value that cannot be shown';
	}
}

/** The same error, told where in a list of groups it is: `"Formats" (number 2): …`. */
export function validationErrorIn(
	field: INodeProperties,
	position: number | undefined,
	error: unknown,
): ServiceFailure {
	const where = position === undefined ? '' : ` (number ${position})`;
	const { kind, reached, message } = failureOrThrow(error);
	return new ServiceFailure({
		kind,
		reached,
		message: `"${field.displayName}"${where}: ${message}`,
	});
}

/** What was read of a value, or the error that names the field and the rule that the value breaks. */
export function orValidationError<T>(
	field: INodeProperties,
	read: T | undefined,
	rule: string,
	value: unknown,
): T {
	if (read === undefined) throw validationError(field, rule, value);
	return read;
}
