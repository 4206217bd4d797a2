import { isJsonObject } from '../../../service/http/answer';
import type { JsonObject } from '../../../service/http/transport';
import { example, schema } from '../../fields/formats';
import { schemaOfExample } from '../input/schemaOfExample';

const SAMPLES = [
	JSON.stringify(schemaOfExample(JSON.parse(String(example.default)))),
	JSON.stringify(JSON.parse(String(schema.default))),
];

/** Told where a structure was sent as the panel shows it first: nobody wants just those fields. */
const ofFormat =
	'The JSON format still asks for the fields of the sample in the panel: put an example or a schema of your own in its place.';
const ofJob =
	'The structure still has the fields of the sample in the panel: put an example or a schema of your own in its place.';

/** What to say of a request that asks for the fields of the sample; undefined for any other. */
export function sampleText(sent: JsonObject): string | undefined {
	const { scrapeOptions, schema: ofWholeJob } = sent;
	const options = isJsonObject(scrapeOptions) ? scrapeOptions : sent;
	const formats = Array.isArray(options.formats) ? options.formats : [];
	const isInFormat = formats
		.filter(isJsonObject)
		.some((format) => format.type === 'json' && isSample(format.schema));
	if (isInFormat) return ofFormat;
	return isSample(ofWholeJob) ? ofJob : undefined;
}

function isSample(wanted: unknown): boolean {
	return isJsonObject(wanted) && SAMPLES.includes(JSON.stringify(wanted));
}
