import type { INodeProperties } from 'n8n-workflow';

import { validationError } from '../../nodes/WebData/run/input/validationError';

const field: INodeProperties = {
	displayName: 'Max URLs',
	name: 'maxUrls',
	type: 'number',
	default: 1,
};
const circle: Record<string, unknown> = {};
circle.self = circle;

it.each([
	['a circle', circle, 'it is a value that cannot be shown'],
	['nothing', undefined, 'it is undefined'],
	['an object', { a: 1 }, 'it is {"a":1}'],
	['empty text', '', 'it is empty'],
])('shows %s in one sentence', (_what, value, shown) => {
	expect(validationError(field, 'must be a number', value).message).toBe(
		`"Max URLs" must be a number, but ${shown}. Nothing was sent.`,
	);
});
