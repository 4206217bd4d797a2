import type { Page } from 'playwright-core';
import { waitFor } from '../../../tools/n8n/poll.ts';

/** The open panel of a node in n8n's editor: input, parameters, output. */
export class NodePanel {
	readonly page: Page;

	/** @param page where a panel is open */
	constructor(page: Page) {
		this.page = page;
	}

	/** What is chosen in a list of the open panel. */
	async chosen(parameter: string): Promise<string> {
		const list = this.page.locator(`[data-test-id="parameter-input-${parameter}"] input`).first();
		return await list.inputValue();
	}

	/** Chooses an entry in a list of the open panel. */
	async choose(parameter: string, entry: string): Promise<void> {
		if ((await this.chosen(parameter)) === entry) return;
		await this.page.locator(`[data-test-id="parameter-input-${parameter}"]`).click();
		await this.page
			.locator('.el-select-dropdown__item:visible')
			.filter({ has: this.page.getByText(entry, { exact: true }) })
			.first()
			.click();
		await this.page.waitForTimeout(500);
	}

	/** Types into a text field of the open panel. */
	async type(parameter: string, text: string): Promise<void> {
		const field = this.page.locator(
			`[data-test-id="parameter-input-${parameter}"] :is(input, textarea, [contenteditable])`,
		);
		await field.first().fill(text);
	}

	/** Chooses an entry in the list of a resource locator of the open panel. */
	async chooseFromList(parameter: string, entry: string): Promise<void> {
		await this.page
			.locator(`[data-test-id="resource-locator-${parameter}"] input:not([data-test-id="rlc-search"])`)
			.last()
			.click();
		await this.page.locator('[data-test-id="rlc-item"]:visible').filter({ hasText: entry }).first().click();
	}

	/** Presses Execute step. */
	async execute(): Promise<void> {
		await this.page.locator('[data-test-id="ndv"] [data-test-id="node-execute-button"]').first().click();
	}

	/** The labels of the fields that the open panel shows, without the credential and the choosers. */
	async fields(): Promise<string[]> {
		const shown = this.page.locator(
			'[data-test-id="node-parameters"] [data-test-id="parameter-item"]:has([data-test-id="input-label"]):visible',
		);
		const labels = await shown.locator('[data-test-id="input-label"]').allInnerTexts();
		return labels
			.map((label) => label.split('\n')[0]?.trim() ?? '')
			.filter((label) => !['Resource', 'Operation'].includes(label));
	}

	/** The text of the open panel's output, once it holds `words`. */
	async outputText(words: RegExp): Promise<string> {
		const panel = this.page.locator('[data-test-id="output-panel"]').filter({ hasText: words });
		await panel.waitFor();
		return await panel.innerText();
	}

	/** Opens the file in the output panel with View and gives the text it shows. */
	async viewFile(): Promise<string> {
		await this.page.locator('[data-test-id="ndv-view-binary-data"]').click();
		// n8n 2.40 shows it in an iframe with the file's address, 1.123 in an embed with its data.
		const frame = await waitFor(
			'the file to be shown',
			() => this.page.frames().find((entry) => /^data:text\/|\/binary-data\?/.test(entry.url())),
			{ timeoutMs: 45_000 },
		);
		const shown = frame.locator('pre');
		await shown.waitFor();
		return await shown.innerText();
	}

	/** Presses Download in the output panel. */
	async downloadFile(): Promise<{ name: string; text: string }> {
		const close = this.page.locator('[data-test-id="ndv"]').getByText('Back to list');
		if (await close.isVisible()) await close.click();
		const downloading = this.page.waitForEvent('download');
		await this.page.locator('[data-test-id="ndv-download-binary-data"]').click();
		const download = await downloading;
		const chunks: Buffer[] = [];
		for await (const chunk of await download.createReadStream()) chunks.push(Buffer.from(chunk));
		return { name: download.suggestedFilename(), text: Buffer.concat(chunks).toString('utf8') };
	}

	/** Closes it; the workflow is seen again. */
	async close(): Promise<void> {
		await this.page.keyboard.press('Escape');
		await this.page.locator('[data-test-id="ndv"]').waitFor({ state: 'hidden' });
	}
}
