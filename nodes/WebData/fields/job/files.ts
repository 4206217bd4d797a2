import type { INodeProperties } from 'n8n-workflow';

/** An option: what of a page becomes binary data. Read by filesToStore in operation/pageFiles.ts. */
export const storeAsFiles: INodeProperties = {
	displayName: 'Store as Files',
	name: 'storeAsFiles',
	type: 'multiOptions',
	options: [
		{ name: 'HTML', value: 'html', description: 'In the binary field html' },
		{ name: 'Markdown', value: 'markdown', description: 'In the binary field markdown' },
		{
			name: 'PDF Files',
			value: 'pdf',
			description: 'Downloaded in the binary field pdf, printed by an action in pdf_1 …',
		},
		{ name: 'Raw HTML', value: 'rawHtml', description: 'In the binary field rawHtml' },
		{
			name: 'Screenshots',
			value: 'screenshot',
			description: 'In the binary field screenshot; those of actions in screenshot_1 …',
		},
	],
	default: ['screenshot'],
	description:
		'What to return as binary files instead of JSON fields. The formats needed are requested automatically.',
};

/** The same for operations that may put out something else than pages, and for Scrape, which cannot. */
export const storePagesAsFiles: INodeProperties = {
	...storeAsFiles,
	displayOptions: { hide: { '/output': ['job', 'status'], '/waitForCompletion': [false] } },
};
