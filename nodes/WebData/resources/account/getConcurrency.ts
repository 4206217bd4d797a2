import type { CallAnswer, CallOperation, ItemDraft } from '../../operation/operation';

/** Some answers write the limit with an underscore (operation team.checkConcurrency). */
function toItems({ body }: CallAnswer): ItemDraft[] | undefined {
	const { concurrency, maxConcurrency, max_concurrency: olderMax } = body;
	const max = maxConcurrency ?? olderMax;
	if (typeof concurrency !== 'number') return undefined;
	return [{ json: { concurrency, maxConcurrency: typeof max === 'number' ? max : null } }];
}

export const getConcurrency: CallOperation = {
	kind: 'call',
	value: 'getConcurrency',
	name: 'Get Concurrency',
	action: 'Get number of browsers in use',
	description: 'Browsers of your team that are in use, and how many your plan allows',
	request: { method: 'GET', path: '/v2/concurrency-check', bucket: 'crawlStatus' },
	toItems,
	fields: [],
};
