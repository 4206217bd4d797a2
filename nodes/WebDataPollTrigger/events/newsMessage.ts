import type { IDataObject, INodeExecutionData, INodeProperties } from 'n8n-workflow';
import { choiceField } from '../../fields/field';
import { count } from '../../text/amounts';
import { cutAt } from '../../text/ends';
import { plainReport } from '../../text/report/plainReport';
import { sourceLine } from '../../text/report/reportFile';
import { reportHtml } from '../../text/report/reportHtml';
import { textOf } from '../../text/values';

/** The choice of an item for each thing that is new, or of one message with all of them. */
export function newsOutput(thing: string): INodeProperties {
	return choiceField(
		'output',
		'Output',
		'items',
		'What starts the workflow when something is new',
		[
			[`One Item per ${thing}`, 'items', `Each ${thing.toLowerCase()} with its URL`],
			['One Item for All', 'message', 'Subject, HTML and plain text for one mail or message, and the list'],
		],
		{ send: false },
	);
}

/** Most characters of a query in the subject of a mail, of a title and of what is said about it. */
const MAX_SUBJECT = 80;
const MAX_TITLE = 200;
const MAX_DESCRIPTION = 500;

/**
 * New pages or results as one message: `subject`, `html`, `text`, `count`, and the items as `list`. `thing` names one of
 * them, `where` what they were found in: a query, or the host of a site.
 */
export function newsMessage(
	items: readonly INodeExecutionData[],
	{ thing, where }: { thing: string; where: string },
): INodeExecutionData {
	const list = items.map(({ json }) => json);
	const subject = `${count(list.length, `new ${thing}`)}: ${cut(where, MAX_SUBJECT)}`;
	const body = list.map((news, index) => lineOf(news, index + 1)).join('\n');
	const json: IDataObject = {
		subject,
		html: reportHtml({ title: subject, body, footer: '' }),
		text: `${subject}\n\n${plainReport(body)}`,
		count: list.length,
		list,
	};
	return { json };
}

function lineOf({ url, imageUrl, title, description, snippet, date }: IDataObject, number: number): string {
	return sourceLine({
		number,
		title: cut(textOf(title), MAX_TITLE),
		url: textOf(url) || textOf(imageUrl),
		description: cut(textOf(description) || textOf(snippet), MAX_DESCRIPTION),
		where: textOf(date),
	});
}

function cut(text: string, most: number): string {
	const line = text.replace(/\s+/g, ' ').trim();
	return line.length <= most ? line : `${cutAt(line, most - 1)}…`;
}
