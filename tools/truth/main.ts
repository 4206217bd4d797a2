/**
 * `npm run truth -- [FOLDER] [--seed N] [--json FILE]`: measures quotes, sentences, figures, report forms, weeks of news
 * and values of tables on texts that nobody here has written. FOLDER holds `sentences/*.txt` (parallel, a sentence a line: XQuAD,
 * Universal Dependencies PUD, CC BY-SA), `labelled/*.jsonl` (claims with evidence in the form of WiCE, ODC-BY; VitaminC,
 * FEVER, HealthVer and Climate-FEVER can be brought into it) and `weeks/NAME/DATE/*.md` (pages of any repository at its
 * dates); what is missing is left out. Nothing of it belongs into this repository, whose own texts are measured where no
 * FOLDER is named.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

import { measure } from './measure';

const { values, positionals } = parseArgs({
	allowPositionals: true,
	options: { seed: { type: 'string', default: '1' }, json: { type: 'string' } },
});
const [folder = 'test/fixtures/truth'] = positionals;

async function main(): Promise<void> {
	const rates = await measure(folder, Number(values.seed));
	console.log(rates.text);
	if (values.json !== undefined) writeFileSync(values.json, JSON.stringify(rates.all, undefined, '\t'));
}

void main();
