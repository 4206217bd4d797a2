import { inputFields } from '../../nodes/WebData/resources/dataTool/inputFields';

/** The catalogue's answer about one tool. */
const catalogue = (tool: object) => ({
	data: {
		alexandria: [{ data: { items: [{ provider: 'p', capability: 'c', name: 'Tool', ...tool }], total: 1 } }],
	},
});
const VALUES = { provider: 'p', capability: 'c' };

it('shows an example of the catalogue as text: n8n renders the notice as HTML', () => {
	const { emptyFieldsNotice } = inputFields(
		catalogue({ options: [], examples: [{ q: '<img src=x onerror=alert(1)><a href="https://evil.example">x</a>' }] }),
		VALUES,
	);
	expect(emptyFieldsNotice).toContain('An example from the catalogue');
	expect(emptyFieldsNotice).not.toMatch(/<[a-z]/i);
});

it('shows no more inputs than a panel can hold, and none with an absurd name', () => {
	const options = Array.from({ length: 50_004 }, (_unused, index) => ({ name: `input ${index}`, type: 'string' }));
	expect(inputFields(catalogue({ options }), VALUES).fields).toHaveLength(200);
	const named = inputFields(
		catalogue({ options: [{ name: 'x'.repeat(100_000) }, { name: 'a', type: 'y'.repeat(9_999) }] }),
		VALUES,
	);
	expect(named.fields.map(({ displayName }) => displayName.length)).toEqual([204]);
});
