import type { INodeProperties } from 'n8n-workflow';

import { onePerPage } from '../../../text/addressKey';
import { ruleOf } from '../../fields/basic';
import { addressFault, expressionFault, readWebAddress } from './readAddress';
import { cronFault, scheduleTextFault, timeZoneFault } from './readSchedule';
import {
	readCode,
	readCountryCode,
	readDay,
	readId,
	readList,
	readPositiveNumber,
} from './readText';
import type { ListKind } from './readText';
import { orValidationError, refuse, tooLong, validationError } from './validationError';

/** What a text is read as, and the rule that it breaks where that cannot be done. */
interface TextRule<T> {
	read: (text: T) => unknown;
	rule: string;
}

const TEXT_RULES = {
	countryCode: { read: readCountryCode, rule: 'must be a two-letter country code such as DE' },
	date: { read: readDay, rule: 'must be a date such as 2026-01-31' },
	id: { read: readId, rule: 'must be an ID made of letters, digits and dashes' },
} satisfies Record<string, TextRule<unknown>>;

/** Lists whose entries must be of a kind. */
const ENTRY_RULES: Partial<Record<ListKind, TextRule<string>>> = {
	numbers: { read: readPositiveNumber, rule: 'must be made of whole numbers from 1' },
	codes: {
		read: readCode,
		rule: 'must be made of short names in lower case: letters, digits, - and _, at most 80',
	},
};

/** Each says which rule a text breaks. */
const SCHEDULE_FAULTS = {
	cron: cronFault,
	scheduleText: scheduleTextFault,
	timeZone: timeZoneFault,
};

/**
 * Text, or what the field's rule makes of it; undefined for a list without entries. Throws a
 * ServiceFailure of kind badInput that names the field and what is allowed.
 */
export function checkText(field: INodeProperties, value: unknown): unknown {
	const { sentAs } = ruleOf(field);
	switch (sentAs) {
		case 'list':
		case 'lines':
		case 'urls':
		case 'numbers':
		case 'codes':
			return checkList(field, value, sentAs);
		case 'binaryFields':
			// Files themselves are told from names where they are looked for (run/files).
			return typeof value === 'object' ? value : checkList(field, value, 'list');
		case 'url':
			return checkAddress(field, value, AN_ADDRESS);
		case 'countryCode':
		case 'date':
		case 'id': {
			const { read, rule } = TEXT_RULES[sentAs];
			return orValidationError(field, read(value), rule, value);
		}
		case 'cron':
		case 'scheduleText':
		case 'timeZone': {
			const text = checkPlainText(field, value).trim();
			const fault = SCHEDULE_FAULTS[sentAs](text);
			if (fault === undefined) return text;
			throw validationError(field, fault, text);
		}
		default:
			return checkPlainText(field, value);
	}
}

function checkAddress(field: INodeProperties, value: unknown, rule: string): string {
	const text = Array.isArray(value) && value.length > 1 ? value.join('\n') : [value].flat()[0];
	refuse(field, addressFault(text), value);
	return orValidationError(field, readWebAddress(text), rule, value);
}

const AN_ADDRESS = 'must be a web address such as https://example.com/page';
const ADDRESSES = 'must be made of web addresses such as https://example.com/page';

function checkPlainText(field: INodeProperties, value: unknown): string {
	// NaN comes of an expression that has failed: as text it would be sent, and looked up as an ID.
	const isText = ['string', 'boolean'].includes(typeof value) || Number.isFinite(value);
	if (!isText) throw validationError(field, 'must be text', value);
	const text = String(value);
	const { maxLength } = ruleOf(field);
	if (maxLength === undefined || text.length <= maxLength) return text;
	throw tooLong(field, maxLength, 'characters', text.length);
}

function checkList(field: INodeProperties, value: unknown, sentAs: ListKind): unknown {
	if (sentAs === 'urls') refuse(field, expressionFault(value), value);
	const list = readList(value, sentAs);
	if (!list) throw validationError(field, 'must be text, or a list of texts', value);
	if (list.length === 0) {
		if (field.required) throw validationError(field, 'needs at least one entry', '');
		return undefined;
	}
	const { maxItems } = ruleOf(field);
	if (maxItems !== undefined && list.length > maxItems) {
		throw tooLong(field, maxItems, 'entries', list.length);
	}
	if (sentAs === 'urls') {
		const addresses = list.map((entry) => checkAddress(field, entry, ADDRESSES));
		return onePerPage(addresses, (address) => address);
	}
	const entryRule = ENTRY_RULES[sentAs];
	if (!entryRule) return list;
	return list.map((entry) =>
		orValidationError(field, entryRule.read(entry), entryRule.rule, entry),
	);
}
