import type { INodeProperties } from 'n8n-workflow';

/**
 * Options of a screenshot, the same for the format and for the browser action (shapes `format` and
 * `action`). No quality is sent by default: the service names none.
 */
export const screenshotOptions: INodeProperties = {
	displayName: 'Screenshot Options',
	name: 'screenshotOptions',
	type: 'collection',
	placeholder: 'Add screenshot option',
	default: {},
	description: 'Size and quality of the image',
	options: [
		{
			displayName: 'Full Page',
			name: 'fullPage',
			type: 'boolean',
			default: false,
			description: 'Whether to show the whole page instead of the visible part',
			routing: { send: { type: 'body', property: 'fullPage' } },
		},
		{
			displayName: 'Quality',
			name: 'quality',
			type: 'number',
			typeOptions: { minValue: 1, maxValue: 100, numberPrecision: 0 },
			default: 80,
			description: 'Image quality, 1 to 100, where 100 is the best',
			routing: { send: { type: 'body', property: 'quality' } },
		},
		{
			displayName: 'Viewport',
			name: 'viewport',
			type: 'fixedCollection',
			default: {},
			placeholder: 'Set size',
			description: 'Size of the browser window in pixels',
			options: [
				{
					displayName: 'Size',
					name: 'size',
					values: [
						{
							displayName: 'Width',
							name: 'width',
							type: 'number',
							typeOptions: { minValue: 1, maxValue: 7680, numberPrecision: 0 },
							default: 1280,
							required: true,
							description: 'Width in pixels, 1 to 7680',
							routing: { send: { type: 'body', property: 'width' } },
						},
						{
							displayName: 'Height',
							name: 'height',
							type: 'number',
							typeOptions: { minValue: 1, maxValue: 4320, numberPrecision: 0 },
							default: 800,
							required: true,
							description: 'Height in pixels, 1 to 4320',
							routing: { send: { type: 'body', property: 'height' } },
						},
					],
				},
			],
			routing: { send: { type: 'body', property: 'viewport' } },
		},
	],
};
