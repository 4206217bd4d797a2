import type { INodeProperties } from 'n8n-workflow';

/** Which parts of a page are kept. */
export const onlyMainContent: INodeProperties = {
	displayName: 'Only Main Content',
	name: 'onlyMainContent',
	type: 'boolean',
	default: true,
	description: 'Whether to drop headers, navigation and footers',
	routing: { send: { type: 'body', property: 'onlyMainContent' } },
};

export const includeTags: INodeProperties = {
	displayName: 'Include Tags',
	name: 'includeTags',
	type: 'string',
	typeOptions: { sentAs: 'list' },
	default: '',
	placeholder: 'e.g. article, .price',
	description: 'CSS selectors of the parts to keep, separated by commas or line breaks',
	routing: { send: { type: 'body', property: 'includeTags' } },
};

export const excludeTags: INodeProperties = {
	displayName: 'Exclude Tags',
	name: 'excludeTags',
	type: 'string',
	typeOptions: { sentAs: 'list' },
	default: '',
	placeholder: 'e.g. nav, .advert',
	description: 'CSS selectors of the parts to drop, separated by commas or line breaks',
	routing: { send: { type: 'body', property: 'excludeTags' } },
};

/** Also an option of files. */
export const removeBase64Images: INodeProperties = {
	displayName: 'Remove Base64 Images',
	name: 'removeBase64Images',
	type: 'boolean',
	default: true,
	description: 'Whether to put placeholders for inline images in the Markdown',
	routing: { send: { type: 'body', property: 'removeBase64Images' } },
};

/** Which parts of a page are kept, as few need it. */
export const rareContent: INodeProperties[] = [
	{
		displayName: 'Only Clean Content',
		name: 'onlyCleanContent',
		type: 'boolean',
		default: false,
		description:
			'Whether a language model also cleans up the Markdown (beta). Not with zero data retention.',
		routing: { send: { type: 'body', property: 'onlyCleanContent' } },
	},
	removeBase64Images,
];
