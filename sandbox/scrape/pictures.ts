import { crc32, deflateSync } from 'node:zlib';
import type { FetchedPage } from '../web/webClient.ts';
import type { Action } from './options/actions.ts';

/** What actions gave, each kind in the order of the request (shape actionResults). */
export interface ActionResults {
	screenshots: Buffer[];
	scrapes: Array<{ url: string; html: string }>;
	javascriptReturns: Array<{ type: string; value: unknown }>;
	pdfs: Buffer[];
}

/** How a picture is to be taken. */
interface Picture {
	viewport?: { width: number; height: number } | undefined;
}

const DESKTOP = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 844 };

/** A grey picture of the size that is asked for, as PNG: no browser is behind it. */
export function pictureOf({ viewport }: Picture, isMobile: boolean): Buffer {
	const { width, height } = viewport ?? (isMobile ? PHONE : DESKTOP);
	const head = Buffer.alloc(13);
	head.writeUInt32BE(width, 0);
	head.writeUInt32BE(height, 4);
	// Eight bits of grey for each point.
	head.writeUInt8(8, 8);
	// Each row begins with its filter: none.
	const row = Buffer.alloc(width + 1, 0xcc).fill(0, 0, 1);
	const rows = Buffer.concat(Array.from({ length: height }, () => row));
	const signature = Buffer.from('89504e470d0a1a0a', 'hex');
	return Buffer.concat([signature, chunk('IHDR', head), chunk('IDAT', deflateSync(rows)), chunk('IEND')]);
}

function chunk(type: string, data: Buffer = Buffer.alloc(0)): Buffer {
	const named = Buffer.concat([Buffer.from(type), data]);
	const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
	length.writeUInt32BE(data.byteLength);
	sum.writeUInt32BE(crc32(named));
	return Buffer.concat([length, named, sum]);
}

/** The results of actions that change nothing on the page. */
export function performActions(actions: readonly Action[], page: FetchedPage, isMobile: boolean): ActionResults {
	const results: ActionResults = { screenshots: [], scrapes: [], javascriptReturns: [], pdfs: [] };
	for (const action of actions) {
		if (action.type === 'screenshot') results.screenshots.push(pictureOf(action, isMobile));
		if (action.type === 'scrape') results.scrapes.push({ url: page.url, html: page.bytes.toString() });
		if (action.type === 'executeJavascript') results.javascriptReturns.push({ type: 'object', value: null });
		if (action.type === 'pdf') results.pdfs.push(Buffer.from('%PDF-1.4\n%%EOF\n'));
	}
	return results;
}
