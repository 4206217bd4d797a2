import fc from 'fast-check';

import { readResearch, writeDeepResearchReport } from '../../nodes/WebData/resources/deepResearch/output';
import type { ResearchRecord } from '../../nodes/WebData/resources/deepResearch/output';
import { reportFileName } from '../../nodes/text/report/reportFile';

const hostile = fc.oneof(
	fc.string({ unit: 'grapheme' }),
	fc.constantFrom(
		'](javascript:alert(1))',
		'line\n\n# Heading\n1. item',
		'a ` b',
		'<script>',
		'<a href="',
		'\\',
		'\\]',
		'![x](https://tracker.example/p.png)',
		'[x]: https://evil.example',
		'\u2028# Heading',
	),
);
const url = fc.oneof(
	fc.webUrl(),
	hostile,
	hostile.map((tail) => `https://a.example/${tail}`),
	fc.constant('javascript:alert(1)'),
);
const record: fc.Arbitrary<ResearchRecord> = fc.record({
	status: fc.option(fc.constantFrom('completed', 'processing')),
	finalAnalysis: fc.oneof(fc.constant('Text'), fc.constant(''), fc.jsonValue()),
	json: fc.oneof(fc.constant(null), fc.jsonValue()),
	sources: fc.array(fc.record({ title: hostile, url, description: hostile, icon: hostile })),
	activities: fc.array(
		fc.record({
			type: hostile,
			status: hostile,
			message: hostile,
			timestamp: hostile,
			depth: fc.option(fc.nat()),
		}),
	),
	currentDepth: fc.option(fc.nat()),
	maxDepth: fc.option(fc.nat()),
	totalUrls: fc.nat(),
	expiresAt: fc.option(fc.string()),
});

/** The lines of a section; the last one of its name, since an analysis may hold anything. */
function section(report: string, name: string): string[] {
	const begin = report.lastIndexOf(`\n## ${name}\n\n`);
	const [text = ''] = report.slice(begin + name.length + 6).split('\n\n');
	return text.trimEnd().split(/\r\n|[\n\r\u2028\u2029]/);
}

/** Everything in a line that Markdown would not take as it is; links that the report makes removed. */
function live(line: string): string {
	return line
		.replace(/\\[\\`*[\]<]/g, '')
		.replace(/^(\d+\. )\[[^[\]]*\]\(<https?:\/\/[^<>\\\s`]*>\)/i, '$1')
		.replace(/\*\*/g, '');
}

it('numbers every source and lists every activity, whatever they hold', () => {
	fc.assert(
		fc.property(hostile, record, (query, research) => {
			const report = writeDeepResearchReport(query, research);
			const sources = section(report, 'Sources');
			const activities = section(report, 'Timeline');
			expect(sources).toHaveLength(Math.max(1, research.sources.length));
			expect(activities).toHaveLength(Math.max(1, research.activities.length));
			research.sources.forEach((_source, index) => {
				expect(sources[index]?.startsWith(`${index + 1}. `)).toBe(true);
			});
			research.activities.forEach((_activity, index) => {
				expect(activities[index]?.startsWith('- ')).toBe(true);
			});
		}),
	);
});

it('lets no text from a page become a link, an image, code or HTML', () => {
	fc.assert(
		fc.property(record, (research) => {
			const report = writeDeepResearchReport('q', research);
			for (const line of [...section(report, 'Sources'), ...section(report, 'Timeline')]) {
				expect(live(line)).not.toMatch(/[`[\]<]/);
			}
		}),
	);
});

const one = (source: Partial<ResearchRecord['sources'][number]>): string =>
	writeDeepResearchReport('q', {
		...readResearch({ status: 'completed' }),
		sources: [{ title: '', url: '', description: '', icon: '', ...source }],
	});

it.each([
	['A', 'https://a.example/', '1. [A](<https://a.example/>)'],
	['A [b] c', 'https://a.example/', '1. [A \\[b\\] c](<https://a.example/>)'],
	['A\\', 'https://a.example/', '1. [A\\\\](<https://a.example/>)'],
	['A', 'https://a.example/x>y\\', '1. [A](<https://a.example/x%3Ey%5C>)'],
	['A', 'https://a.example/x y\nz', '1. [A](<https://a.example/x%20y%20z>)'],
	['A', 'javascript:alert(1)', '1. A'],
	['', 'https://a.example/', '1. [https\\://a\\.example/](<https://a.example/>)'],
	['', '', '1. Untitled'],
])('writes the source %j at %j', (title, url_, line) => {
	expect(section(one({ title, url: url_ }), 'Sources')).toEqual([line]);
});

it('shows the analysis as it is: text, JSON, none, not yet', () => {
	const body = (finalAnalysis: unknown, status = 'completed') =>
		writeDeepResearchReport(null, readResearch({ status, data: { finalAnalysis } }));
	expect(body('# Own heading\n\nText')).toContain('\n\n# Own heading\n\nText\n\n## Sources');
	expect(body({ a: 1 })).toContain('```json\n{\n  "a": 1\n}\n```');
	expect(body('')).toContain('The service wrote no analysis text.');
	expect(body('', 'processing')).toContain('There is no analysis yet: the job is "processing".');
	expect(body('')).toMatch(/^# Deep research\n\n> .*Check critical facts by hand/);
});

it('shows the JSON output once, also when the analysis holds the same', () => {
	const json = { a: 1 };
	const twice = writeDeepResearchReport('q', readResearch({ data: { finalAnalysis: { a: 1 }, json } }));
	expect(twice.split('"a": 1')).toHaveLength(2);
	const both = writeDeepResearchReport('q', readResearch({ data: { finalAnalysis: 'Text', json } }));
	expect(both).toContain('Text\n\n## JSON output\n\n```json');
});

it('closes a code block that the analysis leaves open, so that the sources stay readable', () => {
	const cut = writeDeepResearchReport('q', readResearch({ data: { finalAnalysis: 'a\n````js\nlet b' } }));
	expect(cut).toContain('let b\n````\n\n## Sources');
	const closed = writeDeepResearchReport('q', readResearch({ data: { finalAnalysis: '```\nb\n```' } }));
	expect(closed).toContain('```\nb\n```\n\n## Sources');
});

it('names the file by letters and digits of the query, short and whole', () => {
	fc.assert(
		fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (query) => {
			const name = reportFileName(query, 'job-1');
			expect(name).toMatch(/^research-[\p{L}\p{M}\p{N}-]+\.md$/u);
			expect(name).not.toMatch(/\p{Surrogate}|\p{Lu}-\.md$/u);
			expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
		}),
	);
});

it.each([
	['What do cargo bikes change?', 'research-what-do-cargo-bikes-change.md'],
	['Résumé über Ärger', 'research-resume-uber-arger.md'],
	['हिन्दी में', 'research-हिन्दी-में.md'],
	['한국어', 'research-한국어.md'],
	['../../etc/passwd', 'research-etc-passwd.md'],
	['?', 'research-job-1.md'],
	['', 'research-job-1.md'],
	['𠀀'.repeat(60), `research-${'𠀀'.repeat(60)}.md`],
])('names the file for %j', (query, name) => {
	expect(reportFileName(query, 'job-1')).toBe(name);
});

it('gives other file names to questions that differ in signs only', () => {
	const questions = [
		'What is C?',
		'What is C++?',
		'What is C#?',
		'What is C/C++?',
		`${'long '.repeat(20)}a`,
		`${'long '.repeat(20)}b`,
	];
	expect(new Set(questions.map((query) => reportFileName(query, 'report'))).size).toBe(questions.length);
	expect(reportFileName('What is C?', 'report')).toBe('research-what-is-c.md');
	expect(reportFileName('What is C++?', 'report')).toMatch(/^research-what-is-c-[\da-z]{4}\.md$/);
});
