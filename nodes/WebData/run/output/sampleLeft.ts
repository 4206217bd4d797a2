import { isJsonObject } from '../../../service/http/answer';
import type { JsonObject } from '../../../service/http/transport';
import { example, schema } from '../../fields/formats/jsonSettings';
import { schemaOfExample } from '../input/schemaOfExample';

const SAMPLES = [
	JSON.stringify(schemaOfExample(JSON.parse(String(example.default)))),
	JSON.stringify(JSON.parse(String(schema.default))),
];

/** Told where the JSON format was sent as the panel shows it first: nobody wants just those fields. */
export const SAMPLE_TEXT =
	'The JSON format still asks for the fields of the sample in the panel: put an example or a schema of your own in its place.';

/** True for a request whose JSON format has the schema of the sample. */
export function isSampleLeft(sent: JsonObject): boolean {
	const { scrapeOptions } = sent;
	const options = isJsonObject(scrapeOptions) ? scrapeOptions : sent;
	const formats = Array.isArray(options.formats) ? options.formats : [];
	return formats
		.filter(isJsonObject)
		.some((format) => format.type === 'json' && SAMPLES.includes(JSON.stringify(format.schema)));
}
