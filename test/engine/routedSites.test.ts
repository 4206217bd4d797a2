import type { INodeParameters } from 'n8n-workflow';
import type { Sandbox } from '../../sandbox/server.ts';
import { batchStart, errorText, jsonOf, NODE, runNode, startSandbox } from './run';

const COMPANY = 'https://www.linkedin.com/company/kestrel';
const SCRAPE: INodeParameters = { resource: 'page', operation: 'scrape', url: COMPANY };
const TERMS =
	'The terms of this site’s data provider are not accepted: an admin of your Firecrawl organization does that at https://www.firecrawl.dev/app/data-terms.';

let sandbox: Sandbox;
beforeEach(async () => {
	sandbox = await startSandbox();
});

describe('a site that is read through a paid data provider', () => {
	it('says where its terms are accepted', async () => {
		const execution = await runNode(sandbox, SCRAPE);
		expect(errorText(execution)).toContain(`No result for ${COMPANY}`);
		expect(errorText(execution)).toContain(TERMS);
		expect(sandbox.stats().creditsUsed).toBe(0);
	});

	it('says the same of the item of a batch, and the others have their pages', async () => {
		const items = [{ url: COMPANY }, { url: 'https://example.com/' }];
		const node = { onError: 'continueRegularOutput' } as const;
		const execution = await runNode(sandbox, batchStart(), { items, node });
		const [failed, page] = jsonOf(execution.items(NODE));
		expect(failed?.error).toContain(TERMS);
		expect(page).toMatchObject({ url: 'https://example.com/' });
	});

	it.each([
		[400, 'THIRD_PARTY_DATA_UNSUPPORTED_URL', 'only the own page of a person or a company is read'],
		[
			400,
			'THIRD_PARTY_DATA_UNSUPPORTED_OPTION',
			'does not take one of the options: leave it out. The service says: Why',
		],
		[403, 'THIRD_PARTY_DATA_NOT_ENABLED', 'is turned off: an admin of your Firecrawl organization turns it on'],
		[403, 'THIRD_PARTY_DATA_ENRICHMENT_NOT_ENABLED', 'needs enrichment, which is turned off'],
		[403, 'THIRD_PARTY_DATA_TERMS_REQUIRED', 'does that in Firecrawl’s dashboard'],
		[404, 'THIRD_PARTY_DATA_NOT_FOUND', 'No data provider has a record of this address: check its spelling'],
		[403, 'UNSUPPORTED_SITE', 'Firecrawl does not read this site, whatever the options'],
	])('HTTP %i %s is one sentence that says what to do', async (httpStatus, code, text) => {
		const requiresAction = { url: 'javascript:alert(1)' };
		const body = { success: false, error: 'Why.', code, requiresAction };
		sandbox.faults.add({ step: 'scrape', kind: 'body', httpStatus, body });
		const execution = await runNode(sandbox, SCRAPE);
		expect(errorText(execution)).toContain(text);
		expect(errorText(execution)).toContain(`Why (${code})`);
		expect(errorText(execution)).not.toContain('javascript:');
	});
});

it('says of an address that a batch did not take that terms may be missing', async () => {
	const body = { success: true, id: '01a1ffce-e10c-74d8-b27b-cc3c68d5d343', invalidURLs: [COMPANY] };
	sandbox.faults.add({ step: 'batchStart', kind: 'body', httpStatus: 200, body });
	const done = { success: true, status: 'completed', completed: 1, total: 1, data: [{ markdown: 'A', metadata: {} }] };
	sandbox.faults.add({ step: 'batchStatus', kind: 'body', httpStatus: 200, body: done });
	const execution = await runNode(sandbox, batchStart({ url: COMPANY }));
	expect(errorText(execution)).toContain('may want its terms accepted first: Page · Scrape of this URL says where');
});
