import { cutAt } from '../../text/ends';
import { pathOfField } from '../../text/jsonPaths';
import { plainStatement } from '../../text/pageText';
import { isRecord, isText } from '../../text/values';
import type { JsonWish } from '../contract/question';

/** A field of the JSON that is asked for. */
export interface WantedField {
	/** Its path, with `[]` for each list: `plans[].price`. */
	path: string;
	/** What it is, in the user's words; empty where nobody says it. */
	description: string;
	/** Its part of the schema. */
	schema: FieldSchema;
}

type FieldSchema = Readonly<Record<string, unknown>>;

/** So many fields are told to the model one by one. */
const MOST_FIELDS = 40;
const MOST_CHARACTERS = 200;
const MAX_DEPTH = 6;

/** The fields that a schema or an example asks for, leaf by leaf; none where the shape is left to the model. */
export function wantedFields({ schema, example }: JsonWish): WantedField[] {
	const fields: WantedField[] = [];
	const walkSchema = (node: unknown, path: string, depth: number): void => {
		if (!isRecord(node) || depth > MAX_DEPTH || fields.length >= MOST_FIELDS) return;
		if (isRecord(node.properties)) {
			for (const [name, one] of Object.entries(node.properties)) walkSchema(one, pathOfField(path, name), depth + 1);
		} else if (isRecord(node.items)) walkSchema(node.items, `${path}[]`, depth + 1);
		else if (path !== '') fields.push({ path, description: descriptionOf(node), schema: node });
	};
	const walkExample = (value: unknown, path: string, depth: number): void => {
		if (depth > MAX_DEPTH || fields.length >= MOST_FIELDS) return;
		if (isRecord(value)) {
			for (const [name, one] of Object.entries(value)) walkExample(one, pathOfField(path, name), depth + 1);
		} else if (Array.isArray(value)) walkExample(value[0], `${path}[]`, depth + 1);
		else if (path !== '') fields.push({ path, description: '', schema: {} });
	};
	if (schema) walkSchema(schema, '', 0);
	else walkExample(example, '', 0);
	return fields;
}

function descriptionOf({ description, title }: FieldSchema): string {
	const text = [description, title].find(isText) ?? '';
	return cutAt(plainStatement(text), MOST_CHARACTERS);
}

/** A field as a model reads it among the questions: `plans[].price: what a month costs`. */
export function fieldText({ path, description }: WantedField): string {
	const words = cutAt(plainStatement(path.replaceAll('[]', '')), MOST_CHARACTERS);
	return description === '' ? words : `${words}: ${description}`;
}
