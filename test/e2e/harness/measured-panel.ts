import type { NodePanel } from './node-panel.ts';

/** What of the open panel's list of fields is in the window, in pixels and words. */
export interface MeasuredPanel {
	/** From the list's upper end to the lower end of the node's last field. */
	fields: number;
	/** How much of that is seen without scrolling. */
	seen: number;
	/** How much has to be scrolled to see all, n8n's own part below the fields included. */
	scrolled: number;
	/** What is below the node's last field: n8n's own. */
	below: string;
	/** Labels that are cut off, with the width that they need and have. */
	cut: string[];
	/** Choices that their field would cut off when they are chosen. */
	cutChoices: string[];
}

/**
 * Measures the open panel.
 *
 * @param choices the names of the choices of each field with a list, by the field's parameter
 */
export async function measurePanel(
	{ page }: NodePanel,
	choices: Readonly<Record<string, readonly string[]>> = {},
): Promise<MeasuredPanel> {
	return await page.locator('[data-test-id="node-parameters"]').evaluate((list, names) => {
		const page = list.ownerDocument;
		const styleOf = (one: typeof list) => page.defaultView.getComputedStyle(one);
		const { top, bottom } = list.getBoundingClientRect();
		const items = [...list.querySelectorAll('[data-test-id="parameter-item"]')];
		const end = Math.max(...items.map((item) => item.getBoundingClientRect().bottom));
		const below = [...list.querySelectorAll('*')]
			.filter((one) => one.getBoundingClientRect().top >= end - 1)
			.map((one) => one.innerText ?? '')
			.find((text) => text.trim() !== '');

		const cut: string[] = [];
		for (const text of list.querySelectorAll('label, label *, [class*="header" i] *')) {
			const { overflowX } = styleOf(text);
			if (overflowX === 'visible' || text.clientWidth === 0) continue;
			if (text.scrollWidth <= text.clientWidth) continue;
			cut.push(`${text.innerText.trim()} (${text.scrollWidth} > ${text.clientWidth})`);
		}

		const canvas = page.createElement('canvas').getContext('2d');
		const cutChoices: string[] = [];
		for (const [parameter, offered] of Object.entries(names)) {
			const fields = list.querySelectorAll(
				`[data-test-id="parameter-input-${parameter}"] .el-select input`,
			);
			for (const field of canvas === null ? [] : fields) {
				const { font, paddingLeft, paddingRight } = styleOf(field);
				const room = field.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
				canvas.font = font;
				for (const name of offered) {
					const width = Math.ceil(canvas.measureText(name).width);
					if (width > room) cutChoices.push(`${parameter}: ${name} (${width} > ${room})`);
				}
			}
		}
		return {
			fields: Math.ceil(end - top + list.scrollTop),
			seen: Math.floor(Math.min(bottom, page.documentElement.clientHeight) - top),
			scrolled: list.scrollHeight - list.clientHeight,
			below: below ?? '',
			cut,
			cutChoices: [...new Set(cutChoices)],
		};
	}, choices);
}
