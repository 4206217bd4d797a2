import type { Page } from 'playwright-core';

import { actionFailed } from '../web/scrapeFailure.ts';
import { pictureOf } from './picture.ts';
import type { Action } from '../scrape/options/actions.ts';

/** What actions gave, each kind in the order of the request (shape actionResults). */
export interface ActionResults {
	screenshots: Buffer[];
	scrapes: Array<{ url: string; html: string }>;
	javascriptReturns: Array<{ type: string; value: unknown }>;
	pdfs: Buffer[];
}

const ELEMENT_TIMEOUT_MS = 30_000;
const SCROLL_STEP_PX = 600;

async function scroll(page: Page, action: Extract<Action, { type: 'scroll' }>): Promise<void> {
	if (action.selector !== undefined) {
		await page
			.locator(action.selector)
			.first()
			.scrollIntoViewIfNeeded({ timeout: ELEMENT_TIMEOUT_MS });
		return;
	}
	await page.mouse.wheel(0, action.direction === 'up' ? -SCROLL_STEP_PX : SCROLL_STEP_PX);
}

async function click(page: Page, action: Extract<Action, { type: 'click' }>): Promise<void> {
	const found = page.locator(action.selector);
	const elements = action.all ? await found.all() : [found.first()];
	for (const element of elements) await element.click({ timeout: ELEMENT_TIMEOUT_MS });
}

async function perform(page: Page, action: Action, results: ActionResults): Promise<void> {
	switch (action.type) {
		case 'wait':
			if (action.selector === undefined) await page.waitForTimeout(action.milliseconds ?? 0);
			else await page.waitForSelector(action.selector, { timeout: ELEMENT_TIMEOUT_MS });
			return;
		case 'screenshot':
			results.screenshots.push(await pictureOf(page, action));
			return;
		case 'click':
			return click(page, action);
		case 'write':
			return page.keyboard.type(action.text);
		case 'press':
			return page.keyboard.press(action.key);
		case 'scroll':
			return scroll(page, action);
		case 'scrape':
			results.scrapes.push({ url: page.url(), html: await page.content() });
			return;
		case 'executeJavascript': {
			const value: unknown = await page.evaluate(action.script);
			results.javascriptReturns.push({ type: typeof value, value });
			return;
		}
		case 'pdf': {
			const { format, landscape, scale } = action;
			results.pdfs.push(await page.pdf({ format, landscape, scale }));
			return;
		}
	}
}

/** Performs the actions one after the other. Rejects with a ScrapeFailure that names the first that fails. */
export async function performActions(
	page: Page,
	actions: readonly Action[],
): Promise<ActionResults> {
	const results: ActionResults = { screenshots: [], scrapes: [], javascriptReturns: [], pdfs: [] };
	for (const [index, action] of actions.entries()) {
		try {
			await perform(page, action, results);
			// What a click or a key started is part of the page.
			await page.waitForLoadState('load');
		} catch (error) {
			const reason = error instanceof Error ? (error.message.split('\n', 1)[0] ?? '') : '';
			throw actionFailed(`Action ${index} (${action.type}) failed: ${reason}`);
		}
	}
	return results;
}
