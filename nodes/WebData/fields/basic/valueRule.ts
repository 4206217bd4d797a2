import type { INodeProperties } from 'n8n-workflow';

/**
 * What a field's value must be, or becomes, beyond what n8n's own property data can say. It stands in
 * the field's `typeOptions`, which n8n keeps open for further keys, and is carried out by
 * run/checkValue.ts and run/readFields.ts.
 */
export interface ValueRule {
	/** How the value is read; without it, as the field's own type. */
	sentAs?: SentAs;
	/** Most characters of a text. */
	maxLength?: number;
	/** Most entries of a list. */
	maxItems?: number;
	/** Of a list of groups: an entry that holds nothing but this property is sent as its bare value. */
	shorthand?: string;
	/** What is sent for a group that was added and left empty. Without it, nothing is sent. */
	whenEmpty?: boolean | string[];
	/**
	 * It may not be empty. Instead of n8n's `required` for a field that depends on another one: n8n shows it
	 * as well where that one is an expression, and would refuse to run the workflow while it is empty.
	 */
	isNeeded?: boolean;
	/** The choice that goes with no other one. */
	alone?: string;
	/** What is sent for an option that was not added, because servers differ in what they do then. */
	whenNotAdded?: boolean;
}

/**
 * - `list`: text with commas or line breaks between the entries, or an array from an expression. A comma
 *   inside brackets or quotes is part of its entry, for CSS selectors such as `:is(nav, footer)`.
 * - `lines`: the same, but only line breaks separate, for regular expressions such as `a{1,3}`.
 * - `url`: an http or https address. A bare domain is completed with `https://`.
 * - `urls`: a `lines` list of these, with commas between addresses as well.
 * - `countryCode`: two letters, sent in upper case.
 * - `date`: a day, sent as `YYYY-MM-DD`.
 * - `binaryFields`: names of binary fields as a `list`, or files themselves, from an expression.
 * - `id`: letters, digits, dashes and underscores, as it goes into a path.
 * - `numbers`: a `list` of whole numbers from 1.
 * - `codes`: a `list` of short names in lower case: letters, digits, `-` and `_`.
 * - `cron`, `scheduleText`, `timeZone`: when a monitor runs, as the service takes it.
 * - `stringMap`: a JSON object whose values are texts.
 * - `body`: a JSON object whose fields go into the request's body, after all others.
 * - `schemaOfExample`: a JSON object to follow, sent as the JSON Schema that describes it.
 * - `jsonSchema`: a JSON Schema; an example in its place is refused.
 */
export type SentAs =
	| 'list'
	| 'lines'
	| 'url'
	| 'urls'
	| 'countryCode'
	| 'date'
	| 'id'
	| 'binaryFields'
	| 'numbers'
	| 'codes'
	| 'cron'
	| 'scheduleText'
	| 'timeZone'
	| 'stringMap'
	| 'body'
	| 'schemaOfExample'
	| 'jsonSchema';

/** Whether a field must have a value. */
export function isNeeded(field: INodeProperties): boolean {
	return field.required === true || ruleOf(field).isNeeded === true;
}

/** The rule of a field; empty for a field that has none. */
export function ruleOf(field: INodeProperties): ValueRule {
	return (field.typeOptions ?? {}) as ValueRule;
}

/**
 * What a switch, a number or a choice stands for that an expression or an agent leaves empty: its default.
 * Undefined for a field that has none, and for text, where nothing is nothing.
 */
export function choiceByDefault({ type, default: byDefault }: INodeProperties): unknown {
	const isChoice = ['boolean', 'number', 'options', 'multiOptions'].includes(type);
	const isNone = byDefault === '' || (Array.isArray(byDefault) && byDefault.length === 0);
	return isChoice && !isNone ? byDefault : undefined;
}
