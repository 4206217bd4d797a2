import type { INodeParameters } from 'n8n-workflow';
import { loadBuiltPackage } from '../../tools/n8n-engine/index.ts';
import { mostHeld, quietBytes, watchNode, WITHOUT_GARBAGE } from './nodeSpan.ts';
import { startPageServer } from './ownPageServer.ts';
import { row } from './row.ts';
import type { Measure } from './row.ts';
import { NODE, ROOT, runNode } from './workflow.ts';

const MIB = 1024 * 1024;
const PAGES = 10_000;
/** One part of a result, as large as the service makes it. */
const SLICE_MIB = 10;

const CRAWL: INodeParameters = {
	resource: 'crawl',
	operation: 'start',
	url: 'http://site.example/',
	pageLimit: PAGES,
	formats: ['json'],
	jsonFrom: 'prompt',
	jsonPrompt: 'Products',
};
const CHECKED = { ...CRAWL, jsonFormatOptions: { checkValues: 'list' } };

/**
 * A crawl of 10,000 pages whose JSON of 33 values is looked up on 20 KB of text, which comes for that alone, against the
 * same crawl without the look-up: what is held, and the CPU of a page.
 */
export const measure: Measure = async (say) => {
	const server = await startPageServer();
	try {
		const builtPackage = await loadBuiltPackage(ROOT);
		const { baseUrl } = server;
		const crawl = async (parameters: INodeParameters) => {
			const node = { package: builtPackage, nodeName: 'webData', baseUrl, parameters };
			const items = (await runNode({ ...node, items: [{}] })).items(NODE);
			const { unproven = [], markdown } = items.at(-1)?.json ?? {};
			if (items.length !== PAGES || markdown !== undefined) throw new Error('Not the pages that were wanted.');
			if (Array.isArray(unproven) && unproven.length > 0) throw new Error(`Not found: ${unproven.join(', ')}`);
			return items;
		};
		const held = async (parameters: INodeParameters) => {
			const baseBytes = await quietBytes();
			const kept: unknown[] = [];
			const most = await mostHeld(async () => void kept.push(await crawl(parameters)), WITHOUT_GARBAGE);
			kept.length = 0;
			say(`held ${Math.round((most - baseBytes) / MIB)} MiB`);
			return (most - baseBytes) / MIB;
		};
		const cpuOfPage = async (parameters: INodeParameters) => {
			const watched = watchNode(builtPackage);
			await crawl(parameters).finally(watched.end);
			say(`${(watched.span().cpuMs / PAGES).toFixed(2)} ms a page`);
			return watched.span().cpuMs / PAGES;
		};
		await crawl(CRAWL);
		const cpu = { alone: await cpuOfPage(CRAWL), checked: await cpuOfPage(CHECKED) };
		const memory = { alone: await held(CRAWL), checked: await held(CHECKED) };
		return [
			row({
				name: 'memory, a crawl of 10,000 pages whose JSON is checked: held, against JSON alone and one slice',
				value: memory.checked,
				unit: 'MiB',
				reference: memory.alone + SLICE_MIB,
				target: { of: 'ratio', most: 1.1 },
			}),
			row({
				name: 'time, 33 values of a page of 20 KB: CPU a page, against JSON alone',
				value: cpu.checked,
				unit: 'ms',
				reference: cpu.alone,
			}),
		];
	} finally {
		await server.stop();
	}
};
