import type { Page } from 'playwright-core';
import type { Rectangle } from './node-panel.ts';

/** Around the nodes; below them stand their names and what they do. */
const MARGIN = { side: 52, top: 20, bottom: 76 };

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
