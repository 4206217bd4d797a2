import { withoutDataUris } from '../../../nodes/text/dataUris';
import { expectLinear } from '../../helpers/growth';

const PNG = `data:image/png;base64,${'iVBORw0KGgo+/'.repeat(500)}==`;

describe('a text without data in it', () => {
	it.each([
		['a picture in Markdown', `A ![chart](${PNG}) B`, 'A ![chart](image/png, left out) B'],
		['a picture with a title', `![chart](${PNG} "Sales")`, '![chart](image/png, left out "Sales")'],
		['a link', `[file](data:text/csv;charset=utf-8,a%2Cb%0A1%2C2) B`, '[file](text/csv, left out) B'],
		['an element', `<img src="${PNG}" alt="A">`, '<img src="image/png, left out" alt="A">'],
		['an element without quotations', `<img src=${PNG}>B`, '<img src=image/png, left out>B'],
		[
			'SVG as it is',
			`![i](data:image/svg+xml;utf8,<svg xmlns='http://www.w3.org/2000/svg'><path d="M0 0"/></svg>) B`,
			'![i](image/svg+xml, left out) B',
		],
		[
			'SVG with escapes',
			`<img src='data:image/svg+xml,%3Csvg%20a="b"%3E%3C/svg%3E'> B`,
			"<img src='image/svg+xml, left out'> B",
		],
		['data of no type', 'The data: a, b and c. See metadata:x/y,z', 'The data: a, b and c. See metadata:x/y,z'],
		['one at the end', `A ${PNG}`, 'A image/png, left out'],
		['two', `${PNG} ${PNG}`, 'image/png, left out image/png, left out'],
	])('%s', (_name, text, expected) => {
		expect(withoutDataUris(text)).toBe(expected);
	});

	it('takes time in proportion to the text', async () => {
		for (const piece of ['data:', 'data:image/svg+xml,<svg ', `data:a/b;c=d`, '<img src="data:image/png,']) {
			await expectLinear(20_000, (n) => withoutDataUris(piece.repeat(n)));
		}
	});
});
