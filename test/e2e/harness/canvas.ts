import type { Page } from 'playwright-core';
import type { Rectangle } from './node-panel.ts';

/** Around the nodes; below them stand their names and what they do. */
const MARGIN = { side: 52, top: 20, bottom: 76 };

/** n8n's own buttons over the canvas, and what stands behind each last node: a picture would show halves of them. */
const BUTTONS = [
	'canvas-controls',
	'canvas-handle-plus-wrapper',
	'node-creator-plus-button',
	'command-bar-button',
	'add-sticky-button',
	'toggle-focus-panel-button',
	'instance-ai-canvas-action-button',
	'execute-workflow-button',
];

/** Hides what is no part of the workflow, until the page is loaded again. */
export async function hideButtons(page: Page): Promise<void> {
	const buttons = BUTTONS.map((id) => `[data-test-id="${id}"]`);
	const selectors = [...buttons, '[class*="runDataLabel"]'].join(', ');
	await page.addStyleTag({ content: `${selectors} { visibility: hidden !important }` });
}

/** The part of the window that holds the nodes of the open workflow. */
export async function nodesArea(page: Page): Promise<Rectangle> {
	const nodes = await page.locator('[data-test-id="canvas-node"]').all();
	const boxes = await Promise.all(nodes.map(async (node) => await node.boundingBox()));
	const shown = boxes.filter((box) => box !== null);
	const x = Math.min(...shown.map((box) => box.x)) - MARGIN.side;
	const y = Math.min(...shown.map((box) => box.y)) - MARGIN.top;
	const right = Math.max(...shown.map((box) => box.x + box.width)) + MARGIN.side;
	const bottom = Math.max(...shown.map((box) => box.y + box.height)) + MARGIN.bottom;
	return { x, y, width: right - x, height: bottom - y };
}

/** Writes the nodes of the open workflow, and nothing else, to a PNG file. */
export async function pictureOfNodes(page: Page, file: string): Promise<void> {
	await page.mouse.move(0, 0);
	await hideButtons(page);
	await page.screenshot({ path: file, clip: await nodesArea(page) });
}
