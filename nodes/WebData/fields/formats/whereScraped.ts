import type { IDisplayOptions } from 'n8n-workflow';

/**
 * Where pages are scraped at all. Only Search can do without; to the other operations, which have no such
 * parameter, the condition says nothing. It is the same for all, so that they share the field.
 */
export const whereScraped: IDisplayOptions = { hide: { '/withContent': [false] } };
