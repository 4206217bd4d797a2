import { fitOfPage } from '../../nodes/WebData/operation/askedFormats';

describe('a page fits a request by its formats', () => {
	it.each([
		['all that was asked for', { markdown: 'x', links: [] }, ['markdown', 'links'], 'fits'],
		['no link, which is an answer', { markdown: 'x', links: [] }, ['links'], 'fits'],
		['one that nobody asked for', { markdown: 'x', html: 'x' }, ['markdown'], 'foreign'],
		['one that nobody asked for, and it is empty', { html: '' }, ['markdown'], 'foreign'],
		['not all that was asked for', { markdown: 'x' }, ['markdown', 'links'], 'lacking'],
		['none by name: Markdown', { markdown: 'x' }, undefined, 'fits'],
		['none by name, and another', { html: 'x' }, undefined, 'foreign'],
		['an older name', { screenshot: 'x' }, ['screenshot@fullPage'], 'fits'],
		['a format with settings', { json: null }, [{ type: 'json', prompt: 'p' }], 'fits'],
		['a format under another name', { answer: 'x' }, [{ type: 'question' }], 'fits'],
		['a null for what was not asked for', { markdown: 'x', html: null }, ['markdown'], 'fits'],
	])('%s', (_what, page, formats, fit) => {
		expect(fitOfPage(page, { url: 'https://a.example', formats })).toBe(fit);
	});
});
