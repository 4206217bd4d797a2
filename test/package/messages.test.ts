import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import ts from 'typescript';

import { expectGoldenFile } from '../helpers/goldenFile';

const ROOT = join(__dirname, '../..');

/** Where sentences that users see stand, and under which heading they are shown. */
const ROOMS: Array<[heading: string, path: RegExp]> = [
	['Hints under the output', /^run\/output\/(notes|hints|pageNotes)\.ts$/],
	[
		'Hints and errors of Web Research',
		/^(WebResearch|research)\/(?!.*(properties|prompts|plan|write\w+|Requests)\.ts$)/,
	],
	['Fields, files and limits that are checked before anything is sent', /^(cost|run\/(input|files|jobs\/planJobs))/],
	['Jobs that have no result', /^(run\/(errors\/job|jobs?\/|pages\/|paid\/)|service\/jobs\/)/],
	['Calls that have no result', /^run\/(errors\/call|calls\/|lists\/)/],
	['Browser sessions', /^(run\/(errors\/session|sessions\/)|service\/sessions)/],
	['Retry, Stop and waiting in the background', /^run\/(ledger|suspension|errors)\//],
	['What the service, a server of your own or the network answers', /^service\/(?!jobs|sessions)/],
	['Triggers', /^WebData(Poll)?Trigger\/(?!.*(properties|panel)).*\/|^WebDataPollTrigger\/poll\.ts$/],
	['Web Data Loader', /^WebDataLoader\/(?!properties)/],
	['Operations and the panel', /^((operation|run)\/|WebData\/\w+\.ts$)/],
];

const FEWEST_WORDS = 5;

/** A sentence as it stands in the code; undefined for what is no text. What it is filled with stands in braces. */
function textOf(node: ts.Node | undefined): string | undefined {
	if (!node) return undefined;
	if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
	if (!ts.isTemplateExpression(node)) return undefined;
	const spans = node.templateSpans.map(({ expression, literal }) => filledWith(expression) + literal.text);
	return node.head.text + spans.join('');
}

function filledWith(expression: ts.Expression): string {
	if (ts.isIdentifier(expression)) return `{${expression.text}}`;
	if (ts.isPropertyAccessExpression(expression)) return `{${expression.name.text}}`;
	if (ts.isConditionalExpression(expression)) {
		const [one, other] = [textOf(expression.whenTrue), textOf(expression.whenFalse)];
		return one === undefined || other === undefined ? '{…}' : `{${[one, other].join(' / ')}}`;
	}
	if (ts.isCallExpression(expression) && expression.expression.getText() === 'count') {
		return `{n} ${textOf(expression.arguments[1]) ?? '{unit}'}(s)`;
	}
	if (!ts.isCallExpression(expression)) return '{…}';
	const [about] = expression.arguments;
	// `was(n)`, `withArticle(label)`
	if (about?.getText() === 'n') return `{${expression.expression.getText()}}`;
	return about ? filledWith(about) : '{…}';
}

/** Texts of the panel, which are no messages. */
const OF_THE_PANEL = /^(description|displayName|placeholder|default|hint)$/;

function isOfThePanel(node: ts.Node): boolean {
	if (ts.isPropertyAssignment(node)) return OF_THE_PANEL.test(node.name.getText());
	return ts.isCallExpression(node) && /Fields?$/.test(node.expression.getText());
}

function sentencesIn(file: string): string[] {
	const source = ts.createSourceFile(
		file,
		readFileSync(join(ROOT, 'nodes', file), 'utf8'),
		ts.ScriptTarget.Latest,
		true,
	);
	const found: string[] = [];
	const visit = (node: ts.Node): void => {
		if (isOfThePanel(node)) return;
		const text = textOf(node)?.trim().replace(/\s+/g, ' ');
		if (text === undefined) ts.forEachChild(node, visit);
		else if (/^[\p{Lu}"{]/u.test(text) && text.split(/\s+/).length >= FEWEST_WORDS) found.push(text);
	};
	visit(source);
	return found;
}

/** docs/reference/MESSAGES.md is written from the code with `npx jest package/messages -u`. */
it('the page of all hints and errors has each sentence of the code', () => {
	const files = readdirSync(join(ROOT, 'nodes'), { recursive: true, encoding: 'utf8' }).filter((file) =>
		file.endsWith('.ts'),
	);
	const roomOf = (file: string) => ROOMS.find(([, path]) => path.test(file))?.[0];
	const sections = ROOMS.map(([heading]) => {
		const sentences = files
			.filter((file) => roomOf(file) === heading)
			.sort()
			.flatMap(sentencesIn);
		expect({ heading, sentences }).not.toEqual({ heading, sentences: [] });
		const lines = [...new Set(sentences)].map((text) => `- ${text.replace(/([<>|])/g, '\\$1')}`);
		return `## ${heading}\n\n${lines.join('\n')}\n`;
	});
	const head =
		'# Hints and errors\n\nEach sentence that the nodes say, as it stands in the code; a test keeps this page complete. What stands in braces is filled in. The words of the service follow in its own language.\n';
	expectGoldenFile(join(ROOT, 'docs/reference/MESSAGES.md'), [head, ...sections].join('\n'));
});
