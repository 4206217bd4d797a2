import type { Locator, Page } from 'playwright-core';

/** How fast a person reads, in characters a second, and the least time that a subtitle stays. */
const READING = { charactersPerSecond: 17, leastMs: 2_000 };
const KEY_MS = 45;

/** Runs in the page: a pointer that can be seen, since a headless browser draws none. */
const POINTER = `
	const pointer = document.createElement('div');
	pointer.style.cssText = 'position:fixed;z-index:2147483647;width:18px;height:18px;margin:-9px;' +
		'border-radius:50%;background:#1a7f64aa;border:2px solid #fff;pointer-events:none;top:-50px';
	const show = () => document.documentElement.appendChild(pointer);
	document.readyState === 'loading' ? addEventListener('DOMContentLoaded', show) : show();
	addEventListener('mousemove', ({ clientX, clientY }) => {
		pointer.style.left = clientX + 'px';
		pointer.style.top = clientY + 'px';
	}, true);
`;

/** Runs in the page: writes a subtitle at its lower edge, below n8n's own buttons. */
const subtitleScript = (text: string): string => `
	document.getElementById('subtitle')?.remove();
	const line = document.createElement('div');
	line.id = 'subtitle';
	line.textContent = ${JSON.stringify(text)};
	line.style.cssText = 'position:fixed;z-index:2147483646;left:50%;bottom:3px;' +
		'transform:translateX(-50%);width:max-content;padding:5px 18px;border-radius:8px;' +
		'background:#101418ee;color:#fff;font:600 18px/1.35 system-ui,sans-serif;text-align:center;' +
		'pointer-events:none';
	document.documentElement.appendChild(line);
`;

/** A page that is filmed: it moves like a person and says what it does. */
export class Stage {
	readonly page: Page;

	private constructor(page: Page) {
		this.page = page;
	}

	static async on(page: Page): Promise<Stage> {
		await page.addInitScript(POINTER);
		return new Stage(page);
	}

	/** Shows this text for as long as it takes to read it; it stays until the next one. */
	async say(text: string): Promise<void> {
		await this.page.evaluate(`(() => {${subtitleScript(text)}})()`);
		const readMs = (text.length / READING.charactersPerSecond) * 1000;
		await this.page.waitForTimeout(Math.max(READING.leastMs, readMs));
	}

	/** Moves the pointer there, then clicks. */
	async click(target: Locator): Promise<void> {
		await target.waitFor();
		const box = await target.boundingBox();
		if (box !== null) {
			const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
			await this.page.mouse.move(x, y, { steps: 15 });
			await this.page.waitForTimeout(250);
		}
		await target.click();
	}

	/** Types as a person does, into what has the focus. */
	async type(text: string): Promise<void> {
		await this.page.keyboard.type(text, { delay: KEY_MS });
	}

	/** A still card with large words; what stands in `lines` looks like a terminal. */
	async card(title: string, lines: readonly string[] = []): Promise<void> {
		const code = lines.length === 0 ? '' : `<pre>${lines.map(escaped).join('\n')}</pre>`;
		await this.page.goto('about:blank');
		await this.page.setContent(
			`<body style="margin:0;height:100vh;display:grid;place-content:center;gap:24px;background:#f5f6f7">
			<style>h1{font:600 40px system-ui,sans-serif;margin:0;text-align:center}
			pre{font:22px/1.6 monospace;background:#101418;color:#e8e8e8;padding:24px 32px;border-radius:10px}</style>
			<h1>${escaped(title)}</h1>${code}</body>`,
		);
	}
}

const escaped = (text: string): string =>
	text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
