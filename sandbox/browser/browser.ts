import { existsSync } from 'node:fs';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { timedOut, unreachable, actionFailed } from '../web/webClient.ts';
import type { FetchedPage } from '../web/webClient.ts';
import type { Action } from '../scrape/options/actions.ts';
import type { ScrapeOptions } from '../scrape/options/scrapeOptions.ts';
import type { OwnSite } from '../web/addresses.ts';

/** A page as a browser shows it. */
export interface Visit {
	page: FetchedPage;
	picture?: Buffer;
	actions: ActionResults;
}

/** Chromium, where this machine has it. */
export interface PageBrowser {
	isInstalled(): boolean;
	/** Opens the page, performs the actions, takes the picture. Rejects with a ScrapeFailure. */
	visit(
		url: string,
		options: ScrapeOptions,
		wanted: { actions: readonly Action[]; picture?: Picture | undefined },
		signal: AbortSignal,
	): Promise<Visit>;
	stop(): Promise<void>;
}

const DESKTOP = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 844 };

function contextOptions(options: ScrapeOptions) {
	return {
		viewport: options.mobile ? PHONE : DESKTOP,
		isMobile: options.mobile,
		ignoreHTTPSErrors: options.skipTlsVerification,
		...(options.headers && { extraHTTPHeaders: options.headers }),
		...(options.location?.languages?.[0] && { locale: options.location.languages[0] }),
	};
}

/** See `PageBrowser`. Nothing is loaded or started before the first visit. */
export function pageBrowser(executablePath: string | null, own: OwnSite): PageBrowser {
	let starting: Promise<Browser> | undefined;

	const launched = (): Promise<Browser> => {
		starting ??= import('playwright-core')
			.then(({ chromium }) => chromium.launch({ executablePath: executablePath ?? '', args: ['--no-sandbox'] }))
			.catch(() => {
				starting = undefined;
				throw unreachable();
			});
		return starting;
	};

	const show = async (
		context: BrowserContext,
		url: string,
		options: ScrapeOptions,
		wanted: { actions: readonly Action[]; picture?: Picture | undefined },
	): Promise<Visit> => {
		const page = await context.newPage();
		await page.route(own.has, async (route) => {
			await route.fulfill({ response: await route.fetch(own.locate(route.request().url())) });
		});
		const response = await page.goto(url, { waitUntil: 'load' }).catch(() => {
			throw unreachable();
		});
		if (options.waitFor > 0) await page.waitForTimeout(options.waitFor);
		const actions = await performActions(page, wanted.actions);
		const html = await page.content();
		return {
			page: {
				url: page.url(),
				status: response?.status() ?? 200,
				contentType: response?.headers()['content-type'] ?? 'text/html',
				bytes: Buffer.from(html),
			},
			...(wanted.picture && { picture: await pictureOf(page, wanted.picture) }),
			actions,
		};
	};

	return {
		isInstalled: () => executablePath !== null && existsSync(executablePath),
		async visit(url, options, wanted, signal) {
			const browser = await launched();
			const context = await browser.newContext(contextOptions(options));
			const close = (): void => void context.close().catch(() => undefined);
			signal.addEventListener('abort', close, { once: true });
			try {
				signal.throwIfAborted();
				return await show(context, url, options, wanted);
			} catch (error) {
				if (signal.aborted) throw timedOut();
				throw error;
			} finally {
				signal.removeEventListener('abort', close);
				close();
			}
		},
		async stop() {
			const browser = await starting?.catch(() => undefined);
			await browser?.close();
		},
	};
}

/** What actions gave, each kind in the order of the request (shape actionResults). */
interface ActionResults {
	screenshots: Buffer[];
	scrapes: Array<{ url: string; html: string }>;
	javascriptReturns: Array<{ type: string; value: unknown }>;
	pdfs: Buffer[];
}

const ELEMENT_TIMEOUT_MS = 30_000;
const SCROLL_STEP_PX = 600;

async function scroll(page: Page, action: Extract<Action, { type: 'scroll' }>): Promise<void> {
	if (action.selector !== undefined) {
		await page.locator(action.selector).first().scrollIntoViewIfNeeded({ timeout: ELEMENT_TIMEOUT_MS });
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
async function performActions(page: Page, actions: readonly Action[]): Promise<ActionResults> {
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

/** How a picture is to be taken. */
interface Picture {
	fullPage: boolean;
	quality?: number | undefined;
	viewport?: { width: number; height: number } | undefined;
}

/** A picture of the page: PNG, or JPEG where a quality is asked for. */
async function pictureOf(page: Page, picture: Picture): Promise<Buffer> {
	if (picture.viewport) await page.setViewportSize(picture.viewport);
	return page.screenshot({
		fullPage: picture.fullPage,
		...(picture.quality !== undefined && { type: 'jpeg', quality: picture.quality }),
	});
}
