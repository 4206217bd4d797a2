import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';
import { z } from 'zod/v4';
import type { Owner } from '../../../tools/n8n/client.ts';
import { NodePanel } from './node-panel.ts';

const settings = z.object({
	data: z.object({ enterprise: z.object({}).passthrough() }).passthrough(),
});

const browsers = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Without these Chromium calls its maker's services at every start, and as root refuses to start. */
export const flags = [
	'--no-sandbox',
	'--disable-gpu',
	'--disable-quic',
	'--no-first-run',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
];

export function browserPath(): string {
	const found = [process.env.CHROMIUM_PATH, ...browsers].find((path) => path !== undefined && existsSync(path));
	if (found === undefined)
		throw new Error('Chromium is not installed (see test/e2e/prerequisites.ts); CHROMIUM_PATH names another.');
	return found;
}

/** A message that the page wrote to the browser's console, or an error nothing caught. */
export interface ConsoleMessage {
	kind: string;
	text: string;
	/** The script it came from. */
	source: string;
}

/** n8n's editor in a headless browser, logged in. */
export class Editor {
	readonly page: Page;
	/** Errors and warnings in the browser's console since the start. */
	readonly messages: ConsoleMessage[] = [];
	readonly #browser: Browser;
	readonly #baseUrl: string;

	private constructor(browser: Browser, page: Page, baseUrl: string) {
		this.#browser = browser;
		this.#baseUrl = baseUrl;
		this.page = page;
		page.on('console', (message) => {
			const kind = message.type();
			if (kind !== 'error' && kind !== 'warning') return;
			this.messages.push({ kind, text: message.text(), source: message.location().url });
		});
		page.on('pageerror', (error) =>
			this.messages.push({ kind: 'uncaught', text: error.message, source: error.stack ?? '' }),
		);
	}

	/** Opens a browser window of this size and logs in through n8n's own form. */
	static async open(
		baseUrl: string,
		owner: Owner,
		{ width = 1440, height = 900, scale = 1 }: { width?: number; height?: number; scale?: number } = {},
	): Promise<Editor> {
		const browser = await chromium.launch({ executablePath: browserPath(), args: flags });
		try {
			const context = await browser.newContext({
				viewport: { width, height },
				deviceScaleFactor: scale,
			});
			context.setDefaultTimeout(30_000);
			const editor = new Editor(browser, await context.newPage(), baseUrl);
			await editor.#login(owner);
			return editor;
		} catch (error) {
			await browser.close();
			throw error;
		}
	}

	async #login({ email, password }: Owner): Promise<void> {
		await this.page.goto(`${this.#baseUrl}/signin`);
		await this.page.locator('input[type="email"]').fill(email);
		await this.page.locator('input[type="password"]').fill(password);
		await this.page.locator('[data-test-id="form-submit-button"]').click();
		await this.page.waitForURL((url) => !url.pathname.startsWith('/signin'));
	}

	/** Opens a workflow and waits until its nodes are drawn. */
	async openWorkflow(id: string): Promise<void> {
		await this.page.goto(`${this.#baseUrl}/workflow/${id}`);
		await this.page.locator('[data-test-id="canvas-node"]').first().waitFor();
		await this.fitToView();
	}

	/** Shows the whole workflow. */
	async fitToView(): Promise<void> {
		await this.page.keyboard.press('1');
		await this.page.waitForTimeout(500);
	}

	/**
	 * What an execution shows under Highlighted data, which n8n offers to whoever has registered it. Only the
	 * browser is told that this n8n is.
	 */
	async highlightedData(workflowId: string, executionId: string): Promise<string> {
		await this.page.route('**/rest/settings', async (route) => {
			const answer = await route.fetch();
			const { data } = settings.parse(await answer.json());
			const enterprise = { ...data.enterprise, advancedExecutionFilters: true };
			await route.fulfill({ response: answer, json: { data: { ...data, enterprise } } });
		});
		await this.page.goto(`${this.#baseUrl}/workflow/${workflowId}/executions/${executionId}`);
		await this.page.locator('[data-test-id="execution-preview-ellipsis-button"]').click();
		const panel = this.page.locator('[data-test-id="execution-annotation-panel"]');
		await panel.waitFor();
		return await panel.innerText();
	}

	/** Presses Execute workflow. */
	async execute(): Promise<void> {
		await this.page.locator('[data-test-id="execute-workflow-button"]').first().click();
	}

	/** Opens the panel of node `name`. */
	async openNode(name: string): Promise<NodePanel> {
		await this.page.locator(`[data-test-id="canvas-node"][data-node-name="${name}"]`).dblclick();
		await this.page.locator('[data-test-id="ndv"]').waitFor();
		return new NodePanel(this.page);
	}

	/** Opens the list of nodes to add and types `words` into its search field. */
	async searchNodes(words: string): Promise<string[]> {
		const search = this.page.locator('[data-test-id="node-creator-search-bar"]');
		// The key for this list differs between n8n 1 and 2; the button is the same.
		if (!(await search.isVisible())) await this.page.locator('[data-test-id="node-creator-plus-button"]').click();
		await search.fill(words);
		await this.page.waitForTimeout(700);
		return await this.page.locator('[data-test-id="node-creator-item-name"]').allInnerTexts();
	}

	/** Opens the list of nodes that fit a connector of node `name`, such as `ai_tool`, and types `words` into its search field, if any. */
	async nodesFor(name: string, connector: string, words: string): Promise<string[]> {
		const node = this.page.locator(`[data-test-id="canvas-node"][data-node-name="${name}"]`);
		const handle = node.locator(`[data-test-id="canvas-node-input-handle"][data-connection-type="${connector}"]`);
		await handle.locator('[data-test-id="canvas-handle-plus"]').click();
		await this.page.locator('[data-test-id="node-creator-item-name"]').first().waitFor();
		// n8n 2 shows the tools that are not its own one click further.
		const apps = this.page.locator('[data-test-id="node-creator-item-name"]', { hasText: /^Action in an app$/ });
		if (await apps.isVisible()) await apps.click();
		// A short list has no search field.
		const search = this.page.locator('[data-test-id="node-creator-search-bar"]');
		if (await search.isVisible()) return await this.searchNodes(words);
		return await this.page.locator('[data-test-id="node-creator-item-name"]').allInnerTexts();
	}

	/**
	 * Takes a node from the list that `searchNodes` opened.
	 *
	 * @returns the actions that n8n offers for it
	 */
	async chooseNode(name: string): Promise<string[]> {
		await this.page.locator('[data-test-id="node-creator-item-name"]', { hasText: new RegExp(`^${name}$`) }).click();
		const actions = this.page.locator('[data-keyboard-nav-type="action"]');
		await actions.first().waitFor();
		// n8n draws the list bit by bit: it is complete when nothing more has come for a while.
		let [texts, before]: [string[], number] = [await actions.allInnerTexts(), -1];
		while (texts.length > before) {
			before = texts.length;
			await this.page.waitForTimeout(1000);
			texts = await actions.allInnerTexts();
		}
		return texts.map((text) => text.trim());
	}

	/** Drops the chosen node with this action; its panel opens. */
	async chooseAction(action: string): Promise<NodePanel> {
		await this.page.locator('[data-keyboard-nav-type="action"]', { hasText: action }).first().click();
		await this.page.locator('[data-test-id="ndv"]').waitFor();
		return new NodePanel(this.page);
	}

	async close(): Promise<void> {
		await this.#browser.close();
	}
}
