import { join } from 'node:path';
import { proveValues } from '../../../nodes/proof/proveValues';
import type { ProvenValue } from '../../../nodes/proof/proveValues';
import { seededRandom } from '../../../sandbox/runtime/runtime.ts';
import { expectGoldenFile } from '../../helpers/goldenFile';
import { KINDS, changedBy } from './adversary';
import { LATER } from './laterPages';
import { madePages } from './madePages';
import type { MadePage } from './madePages';
import { STRANGE } from './strangePages';
import { HELD_BACK, LAST, WRITTEN } from './writtenPages';

const PAGES = [...WRITTEN, ...HELD_BACK, ...LAST, ...STRANGE, ...LATER, ...madePages(11, 12)];

const short = (value: unknown) => JSON.stringify(value).slice(0, 60);

function toldOf({ state, reason, words, line }: ProvenValue): string {
	const place = line === undefined || line === words ? '' : ` | ${short(line)}`;
	return `${state}${reason === undefined ? '' : ` (${reason})`}${words === undefined ? '' : ` ${short(words)}`}${place}`;
}

/** What is told of each value of a page as it is, and of each that an adversary has changed. */
function readings(page: MadePage): string {
	const prove = (json: unknown) =>
		proveValues(json, { markdown: page.markdown, url: page.url, metadata: {} }, page.schema);
	const told = prove(page.json).map((one) => `${one.path} ${short(one.value)}: ${toldOf(one)}`);
	const random = seededRandom(3);
	const changed = Object.keys(KINDS).flatMap((kind) =>
		changedBy(kind, page, random)
			.slice(0, 3)
			.map(({ json, path, is }) => {
				const one = prove(json).find((other) => other.path === path);
				return `${kind}: ${path} ${short(is)}: ${one ? toldOf(one) : 'left out'}`;
			}),
	);
	return [`# ${page.name}`, ...told, ...changed].join('\n');
}

it('tells of each value what it told before, and in which words it stands', () => {
	expectGoldenFile(join(__dirname, '../../golden/proofReadings.txt'), `${PAGES.map(readings).join('\n\n')}\n`);
});
