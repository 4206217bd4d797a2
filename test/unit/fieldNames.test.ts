import { namesInPanel } from '../../nodes/WebData/panel/fieldNames';
import { findOperation, resources } from '../../nodes/WebData/resources';

const named = (resource: string, operation: string, said: string) =>
	namesInPanel(findOperation(resource, operation)?.operation.fields ?? [], said).trim();

it.each([
	['crawl', 'start', 'limit: Expected number', 'In the panel: "Page Limit".'],
	[
		'crawl',
		'start',
		'scrapeOptions.waitFor: Too big',
		'In the panel: "Page Options > Extra Wait (Milliseconds)".',
	],
	[
		'crawl',
		'start',
		'Bad Request (waitFor: waitFor must not exceed half of timeout)',
		'In the panel: "Page Options > Extra Wait (Milliseconds)".',
	],
	[
		'search',
		'search',
		'includeDomains and excludeDomains cannot both be specified',
		'In the panel: "Search Options > Include Domains", "Search Options > Exclude Domains".',
	],
	['page', 'scrape', 'formats.0.question: Too small', 'In the panel: "Question".'],
	['page', 'scrape', 'does not know the option "redactPII"', '> Redact'],
	['page', 'scrape', 'actions.2.selector: Required', '"Page Options > Actions > CSS Selector"'],
	['monitor', 'create', 'notification.email.recipients.0: Invalid', 'Notification'],
	['batchScrape', 'start', 'urls.1: Invalid url', ''],
])('names the field of %s %s in: %s', (resource, operation, said, text) => {
	expect(named(resource, operation, said)).toContain(text);
});

it.each([
	'url: URL must have a valid top-level domain or be an IP address',
	'The service refused the request: Bad Request',
	'See docs.firecrawl.dev/limit and limit the rest',
	'Internal error: type: nothing',
	'',
])('names no field in: %s', (said) => {
	expect(named('crawl', 'start', said)).toBe('');
});

it('finds every parameter of every operation by its own path', () => {
	const fields = resources.flatMap(({ operations }) => operations.flatMap((one) => one.fields));
	const properties = fields.flatMap(({ routing, displayName, name }) => {
		const property = routing?.send?.property;
		const isPlain = property?.toLowerCase() === displayName.toLowerCase();
		return property === undefined || isPlain || property.includes('[') ? [] : [{ property, name }];
	});
	expect(properties.length).toBeGreaterThan(40);
	for (const { property } of properties) {
		expect(namesInPanel(fields, `${property}: Invalid`)).toContain('In the panel: "');
	}
});
