import { existsSync } from 'node:fs';
import type { Browser, BrowserContext } from 'playwright-core';

import { timedOut, unreachable } from '../web/scrapeFailure.ts';
import { performActions } from './performActions.ts';
import { pictureOf } from './picture.ts';
import type { Action } from '../scrape/options/actions.ts';
import type { ScrapeOptions } from '../scrape/options/scrapeOptions.ts';
import type { OwnSite } from '../web/ownSite.ts';
import type { FetchedPage } from '../web/webClient.ts';
import type { ActionResults } from './performActions.ts';
import type { Picture } from './picture.ts';

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
			.then(({ chromium }) =>
				chromium.launch({ executablePath: executablePath ?? '', args: ['--no-sandbox'] }),
			)
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
