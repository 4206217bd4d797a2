/** What a person sees of each operation before doing anything, and whether its labels are whole. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Editor } from './harness/editor.ts';
import { choicesByName, everyOperation, everythingOnce } from './harness/every-operation.ts';
import type { Parameters } from './harness/every-operation.ts';
import { otherPanels } from './harness/other-panels.ts';
import { testOwner } from './harness/instance.ts';
import { newestLine, outerLines } from './harness/lines.ts';
import { measurePanel } from './harness/measured-panel.ts';
import type { MeasuredPanel } from './harness/measured-panel.ts';
import { nodeType, type Product, sharedProduct } from './harness/product.ts';
import { manualTrigger, workflow } from './harness/workflows.ts';

/** What n8n 2 shows below the fields of a node; n8n 1 has only space there. */
const N8N_LINK = 'I wish this node would';

/** More take n8n 1 long to draw. */
const NODES_IN_A_WORKFLOW = 12;

/** A node whose panel is opened, Web Data unless it has a type. */
interface PanelToOpen {
	name: string;
	parameters: Parameters;
	type?: string;
	typeVersion?: number;
	/** Which choices its fields with a list have, if it is not Web Data. */
	choices?: Readonly<Record<string, readonly string[]>>;
}

/** A node of each, without connections, in rows that fit the canvas. */
function manyNodes(product: Product, list: PanelToOpen[]) {
	const nodes = list.map(({ name, parameters, type = nodeType, typeVersion = 1 }, place) => ({
		name,
		type,
		typeVersion,
		parameters,
		credential: product.credential,
		settings: { position: [(place % 4) * 200, 200 + Math.floor(place / 4) * 180] },
		to: [],
	}));
	return workflow('Panels', [{ ...manualTrigger, to: [] }, ...nodes]);
}

/** No field is out of sight, no text is cut; where there is anything to scroll to, it is n8n's own link. */
function assertFits(
	panels: Array<MeasuredPanel & { name: string }>,
	say: (line: string) => void,
): void {
	const tooLong = panels.filter(({ fields, seen }) => fields > seen);
	assert.deepEqual(tooLong, []);
	const scrolling = panels.filter(({ scrolled }) => scrolled > 0);
	say(`n8n's link is below ${scrolling.map(({ name }) => name).join(', ')}`);
	const foreign = scrolling.filter(({ below }) => below !== '' && !below.startsWith(N8N_LINK));
	assert.deepEqual(foreign, []);
	const cut = panels.flatMap(({ name, cut: labels, cutChoices }) =>
		[...labels, ...cutChoices].map((text) => `${name}: ${text}`),
	);
	assert.deepEqual(cut, []);
}

for (const version of outerLines()) {
	describe(`first screens on n8n ${version}`, { timeout: 900_000 }, () => {
		let product: Product;
		let editor: Editor;

		before(async () => {
			product = await sharedProduct(version);
			editor = await Editor.open(product.n8n.running.baseUrl, testOwner);
		});
		after(async () => {
			await editor.close();
		});

		/** Opens the panel of each of these nodes and measures it. */
		async function measured(list: PanelToOpen[]): Promise<Array<MeasuredPanel & { name: string }>> {
			const results: Array<MeasuredPanel & { name: string }> = [];
			for (let first = 0; first < list.length; first += NODES_IN_A_WORKFLOW) {
				const some = list.slice(first, first + NODES_IN_A_WORKFLOW);
				const saved = await product.n8n.client.createWorkflow(manyNodes(product, some));
				await editor.openWorkflow(saved.id);
				for (const { name, choices = choicesByName } of some) {
					const panel = await editor.openNode(name);
					await editor.page.waitForTimeout(400);
					results.push({ name, ...(await measurePanel(panel, choices)) });
					await panel.close();
				}
			}
			return results;
		}

		// The node menu asks for an action first; a tool, a paste and n8n's own builder do not.
		for (const type of [nodeType, `${nodeType}Tool`]) {
			test(`a new ${type} is Page · Scrape`, async () => {
				const node = { name: 'New', type, typeVersion: 1, parameters: {}, to: [] };
				const saved = await product.n8n.client.createWorkflow(workflow('New', [node]));
				await editor.openWorkflow(saved.id);
				const panel = await editor.openNode('New');
				assert.equal(await panel.chosen('resource'), 'Page');
				assert.equal(await panel.chosen('operation'), 'Scrape');
				await panel.close();
			});
		}

		test('every operation fits a window of 1440 x 900', async (t) => {
			const list = everyOperation().map(({ resource, operation, title }) => ({
				name: title,
				parameters: { resource, operation },
			}));
			const panels = await measured(list);
			assert.ok(panels.length >= 50);
			assertFits(panels, (line) => t.diagnostic(line));
			const [scrape] = panels;
			assert.deepEqual([scrape?.name, scrape?.scrolled], ['Page · Scrape', 0]);
		});

		test('triggers, research and the loader fit a window of 1440 x 900', async (t) => {
			const panels = await measured(otherPanels());
			assert.ok(panels.length >= 14, String(panels.length));
			assertFits(panels, (line) => t.diagnostic(line));
		});

		test('Scrape fits a small screen; the same check says no where there is too little room', async () => {
			const scrape = { resource: 'page', operation: 'scrape' };
			const heightOf = async (width: number, height: number): Promise<MeasuredPanel> => {
				await editor.page.setViewportSize({ width, height });
				const [panel] = await measured([{ name: 'Scrape', parameters: scrape }]);
				return panel ?? assert.fail('no panel');
			};
			const small = await heightOf(1280, 720);
			assert.ok(small.fields <= small.seen, JSON.stringify(small));
			const tiny = await heightOf(1280, 480);
			assert.ok(tiny.fields > tiny.seen && tiny.scrolled > 0, JSON.stringify(tiny));
			await editor.page.setViewportSize({ width: 1440, height: 900 });
		});

		// Half of the panels that are opened here.
		if (newestLine().includes(version)) {
			test('no label and no choice is cut, with every option added', async () => {
				const list = everythingOnce().map(({ title, parameters }) => ({ name: title, parameters }));
				const cut = (await measured(list)).flatMap(({ name, cut: labels, cutChoices }) =>
					[...labels, ...cutChoices].map((text) => `${name}: ${text}`),
				);
				assert.deepEqual(cut, []);
			});
		}
	});
}
