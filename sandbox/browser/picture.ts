import type { Page } from 'playwright-core';

/** How a picture is to be taken. */
export interface Picture {
	fullPage: boolean;
	quality?: number | undefined;
	viewport?: { width: number; height: number } | undefined;
}

/** A picture of the page: PNG, or JPEG where a quality is asked for. */
export async function pictureOf(page: Page, picture: Picture): Promise<Buffer> {
	if (picture.viewport) await page.setViewportSize(picture.viewport);
	return page.screenshot({
		fullPage: picture.fullPage,
		...(picture.quality !== undefined && { type: 'jpeg', quality: picture.quality }),
	});
}
