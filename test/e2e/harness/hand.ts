import type { Locator, Page } from 'playwright-core';

/** A person's time between two keys, and between the last one and the next click: n8n stores what is typed late. */
const KEY_DELAY_MS = 40;
const AFTER_TYPING_MS = 700;

/** A person at n8n's editor: what is clicked is counted. */
export class Hand {
	readonly page: Page;
	clicks = 0;

	/** @param page where the editor is open */
	constructor(page: Page) {
		this.page = page;
	}

	async click(target: Locator): Promise<void> {
		this.clicks++;
		await target.click();
	}

	async type(text: string): Promise<void> {
		await this.page.keyboard.type(text, { delay: KEY_DELAY_MS });
		await this.page.waitForTimeout(AFTER_TYPING_MS);
	}

	/** Puts the cursor into a field of the open panel and types. */
	async fill(parameter: string, text: string): Promise<void> {
		const field = this.#parameter(parameter);
		await this.click(field.locator('input, textarea, .cm-content').first());
		await this.type(text);
	}

	/** Puts a text that was copied elsewhere in place of what a field of the open panel holds. */
	async paste(parameter: string, text: string): Promise<void> {
		const field = this.#parameter(parameter);
		await this.click(field.locator('input, textarea, .cm-content').first());
		await this.page.keyboard.press('ControlOrMeta+a');
		await this.page.keyboard.insertText(text);
		await this.page.waitForTimeout(AFTER_TYPING_MS);
	}

	/** Chooses an entry of a list. */
	async choose(parameter: string, entry: string): Promise<void> {
		await this.click(this.#parameter(parameter).locator('input').first());
		await this.click(
			this.page
				.locator('.el-select-dropdown__item:visible')
				.filter({ has: this.page.getByText(entry, { exact: true }) })
				.first(),
		);
	}

	/** Turns a switch on or off. */
	async switch(parameter: string): Promise<void> {
		await this.click(this.#parameter(parameter).locator('.el-switch').first());
	}

	/** In a new workflow: adds the first node by words, name and action; its panel opens. */
	async addFirst(words: string, node: string, action: string): Promise<void> {
		await this.click(this.page.locator('[data-test-id="canvas-add-button"] button').first());
		await this.page.locator('[data-test-id="node-creator-search-bar"]').waitFor();
		await this.type(words);
		const name = this.page.locator('[data-test-id="node-creator-item-name"]');
		await this.click(name.getByText(node, { exact: true }).first());
		const listed = this.page.locator('[data-keyboard-nav-type="action"]');
		await listed.first().waitFor();
		const wanted = listed.getByText(action, { exact: true }).first();
		// For the first node of a workflow n8n opens the triggers and keeps the actions closed.
		if (!(await wanted.isVisible())) await this.click(this.page.getByText(/^Actions \(\d+\)$/));
		await this.click(wanted);
		await this.page.locator('[data-test-id="ndv"]').waitFor();
	}

	/** Runs the node whose panel is open and waits until its output holds the words. */
	async run(words: RegExp): Promise<void> {
		await this.click(this.page.locator('[data-test-id="node-execute-button"]').first());
		const output = this.page.locator('[data-test-id="output-panel"]');
		await output.filter({ hasText: words }).waitFor({ timeout: 30_000 });
	}

	/** Runs the trigger whose panel is open and waits until n8n says that it listens. */
	async listen(): Promise<void> {
		await this.click(this.page.locator('[data-test-id="node-execute-button"]').first());
		const panel = this.page.locator('[data-test-id="ndv"]');
		await panel
			.getByText(/listening|waiting/i)
			.first()
			.waitFor();
	}

	#parameter(name: string): Locator {
		return this.page.locator(`[data-test-id="parameter-input-${name}"]`).first();
	}
}
