import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';

import { resources } from '../../nodes/WebData/resources/index.ts';

/** Every field of that name, however deep it is. */
function named(name: string, fields: INodeProperties[]): INodeProperties[] {
	return fields.flatMap((field) => [
		...(field.name === name ? [field] : []),
		...named(
			name,
			(field.options ?? []).flatMap((option) => {
				if ('values' in option) return option.values;
				return 'displayName' in option && 'type' in option ? [option] : [];
			}),
		),
	]);
}

const cases = resources.flatMap(({ value, operations }) =>
	operations.flatMap((operation) =>
		named('webhook', operation.fields).map((field) => [`${value} ${operation.value}`, field] as const),
	),
);

it('there are webhooks to check', () => expect(cases.length).toBeGreaterThan(4));

it.each(cases)('a webhook of %s begins with all events chosen', (_name, { options }) => {
	const [group] = (options ?? []) as INodePropertyCollection[];
	const events = group?.values.find(({ name }) => name === 'events');
	const all = (events?.options as INodePropertyOptions[]).map(({ value }) => value);
	expect(all.length).toBeGreaterThan(1);
	expect(events?.default).toEqual(all);
});
