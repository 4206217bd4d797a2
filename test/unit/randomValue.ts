import type { INodeProperties } from 'n8n-workflow';

import { isNeeded, ruleOf } from '../../nodes/fields/basic.ts';
import { schemaOfExample } from '../../nodes/run/input/schemaOfExample.ts';
import type { Chance } from './chance.ts';
import { choicesOf } from './nodeLeaves.ts';

interface RandomValue {
	isGiven: boolean;
	given?: unknown;
	/** What must be sent; undefined when nothing was set. */
	sent: unknown;
}

/** A value that the field allows, in one of the ways that the panel, an expression or an agent give it. */
export function randomValue(chance: Chance, field: INodeProperties, isAdded: boolean): RandomValue {
	const isChosen = ['resourceLocator', 'resourceMapper'].includes(field.type);
	const hasDefault = !isChosen && field.default !== '' && !String(field.default).startsWith('=');
	const way = chance.oneOf('set', 'set', 'set', 'absent', 'blank');
	const mustBeSet = isNeeded(field);
	if (way === 'blank' && !mustBeSet) {
		// An option that was added and left empty says nothing; any other choice has its default.
		const isChoice = !isAdded && !['string', 'json'].includes(field.type);
		return { isGiven: true, given: '', sent: isChoice ? defaultOf(field, hasDefault) : undefined };
	}
	if (way === 'absent' && (hasDefault || !mustBeSet)) {
		const value = defaultOf(field, hasDefault);
		return { isGiven: field.default !== undefined, given: field.default, sent: value };
	}
	return { isGiven: true, ...setValue(chance, field) };
}

function defaultOf(field: INodeProperties, hasDefault: boolean): unknown {
	if (!hasDefault || isEmptyList(field.default)) return undefined;
	return field.type === 'json' ? toSend(field, JSON.parse(String(field.default))) : field.default;
}

function isEmptyList(value: unknown): boolean {
	return Array.isArray(value) && value.length === 0;
}

function setValue(chance: Chance, field: INodeProperties): { given: unknown; sent: unknown } {
	const { minValue = -1000, maxValue = 1_000_000, numberPrecision } = field.typeOptions ?? {};
	const { sentAs } = ruleOf(field);
	// A field that is no longer shown is a number where its default is one.
	const isNumber = field.type === 'hidden' && typeof field.default === 'number';
	switch (isNumber ? 'number' : field.type) {
		case 'number': {
			const whole = chance.integer(Math.ceil(minValue), maxValue);
			const sent = numberPrecision === 0 ? whole : Math.max(minValue, whole / 8);
			return { given: chance.boolean() ? sent : String(sent), sent };
		}
		case 'boolean': {
			const sent = chance.boolean();
			return { given: chance.boolean() ? sent : String(sent), sent };
		}
		case 'options': {
			const sent = chance.oneOf(...choicesOf(field));
			return { given: sent, sent };
		}
		case 'multiOptions': {
			const some = chance.some(choicesOf(field));
			const alone = ruleOf(field).alone?.find((choice) => some.includes(choice));
			const sent = alone === undefined ? some : [alone];
			return { given: chance.boolean() ? sent : sent.join(', '), sent };
		}
		case 'json': {
			const object = randomObject(chance, sentAs === 'stringMap');
			const value = sentAs === 'jsonSchema' ? schemaOfExample(object) : object;
			const given = chance.boolean() ? value : JSON.stringify(value);
			return { given, sent: toSend(field, value) };
		}
		case 'resourceLocator': {
			const { given: value, sent } = textValue(chance, field);
			const chosen = { __rl: true, mode: chance.oneOf('list', 'id'), value };
			return { given: chance.oneOf<unknown>(value, chosen), sent };
		}
		case 'resourceMapper': {
			const value = chance.object(() => chance.integer(0, 9));
			const sent = Object.keys(value as object).length > 0 ? value : undefined;
			return { given: { mappingMode: 'defineBelow', value, schema: [] }, sent };
		}
		default:
			return textValue(chance, field);
	}
}

function randomObject(chance: Chance, isMap: boolean): unknown {
	return chance.object(() =>
		isMap ? chance.oneOf<unknown>(chance.text(20), chance.integer(0, 9), chance.boolean()) : chance.json(),
	);
}

function toSend(field: INodeProperties, value: unknown): unknown {
	switch (ruleOf(field).sentAs) {
		case 'stringMap':
			return Object.fromEntries(Object.entries(value as object).map(([name, one]) => [name, String(one)]));
		case 'schemaOfExample':
			return schemaOfExample(value);
		default:
			return value;
	}
}

function textValue(chance: Chance, field: INodeProperties): { given: unknown; sent: unknown } {
	const { sentAs, maxLength = 200, maxItems = 6 } = ruleOf(field);
	switch (sentAs) {
		case 'list':
		case 'lines':
		case 'urls': {
			const entry = () => (sentAs === 'urls' ? chance.webAddress() : chance.word());
			const all = chance.list(1, Math.min(6, maxItems), entry);
			// An address that comes twice is sent once.
			const sent = sentAs === 'urls' ? [...new Set(all)] : all;
			const texts = [sent.join('\n'), ` ${sent.join(' \n ')}\n`, JSON.stringify(sent)];
			if (sentAs !== 'lines') texts.push(sent.join(', '));
			return { given: chance.oneOf<unknown>(sent, ...texts), sent };
		}
		case 'numbers': {
			const sent = chance.list(1, Math.min(6, maxItems), () => chance.integer(1, 999));
			return { given: chance.oneOf<unknown>(sent, sent.join(', ')), sent };
		}
		case 'codes':
		case 'tokens': {
			const sent = chance.list(1, Math.min(6, maxItems), () => `c${chance.integer(1, 999)}`);
			return { given: chance.oneOf<unknown>(sent, sent.join(', ')), sent };
		}
		case 'cron':
		case 'scheduleText':
		case 'timeZone': {
			const known = {
				cron: ['0 9 * * 1-5', '*/5 * * * *', '0 0 1 * *'],
				scheduleText: ['hourly', 'every 30 minutes', 'daily at 9:00'],
				timeZone: ['UTC', 'Europe/Oslo'],
			} as const;
			const sent = chance.oneOf<string>(...known[sentAs]);
			return { given: ` ${sent}`, sent };
		}
		case 'url': {
			const bare = chance.domain();
			if (chance.boolean()) return { given: ` ${bare}`, sent: `https://${bare}` };
			const sent = chance.webAddress();
			return { given: ` ${sent} `, sent };
		}
		case 'countryCode': {
			const sent = chance.oneOf('DE', 'US', 'BR');
			return { given: chance.boolean() ? sent : ` ${sent.toLowerCase()}`, sent };
		}
		case 'date': {
			const date = new Date(chance.integer(0, 4_000_000_000) * 1000).toISOString();
			return { given: chance.boolean() ? date : date.slice(0, 10), sent: date.slice(0, 10) };
		}
		case 'id':
		case 'token': {
			const sent = `${chance.word()}-${chance.integer(0, 999)}`;
			return { given: ` ${sent}`, sent };
		}
		default: {
			const text = chance.text(maxLength);
			// What is sent in the path may not climb out of it.
			const isInPath = field.routing?.send?.property === undefined;
			const sent = isInPath ? text.replace(/\.(?=\s*([/\\]|$))/g, 'x') : text;
			return { given: sent, sent };
		}
	}
}
