import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { CDPSession, Page } from 'playwright-core';
import { ffmpeg } from '../harness/ffmpeg.ts';

/** A picture of the window, and when it was drawn, in seconds. */
interface Frame {
	file: string;
	atSeconds: number;
}

/** Keeps what Chromium draws of a page, and makes a film of it with ffmpeg. */
export class Recorder {
	readonly #session: CDPSession;
	readonly #folder = mkdtempSync(path.join(tmpdir(), 'web-data-video-'));
	readonly #frames: Frame[] = [];
	/** Whether what is drawn now is left out. */
	#cutting = false;
	/** How much has been left out so far. */
	#cutSeconds = 0;

	private constructor(session: CDPSession) {
		this.#session = session;
		session.on('Page.screencastFrame', ({ data, metadata, sessionId }) => {
			const drawnAtSeconds = metadata.timestamp ?? Date.now() / 1000;
			if (!this.#cutting) this.#keep(Buffer.from(data, 'base64'), drawnAtSeconds);
			// A page that is closed meanwhile sends no more.
			session.send('Page.screencastFrameAck', { sessionId }).catch(() => undefined);
		});
	}

	#keep(picture: Buffer, drawnAtSeconds: number): void {
		const file = path.join(this.#folder, `${this.#frames.length}.jpg`);
		writeFileSync(file, picture);
		this.#frames.push({ file, atSeconds: drawnAtSeconds - this.#cutSeconds });
	}

	/** Does `work` without filming it: what loads, or waits for a clock. */
	async without<Result>(work: () => Promise<Result>): Promise<Result> {
		const beganAt = Date.now();
		this.#cutting = true;
		try {
			return await work();
		} finally {
			this.#cutting = false;
			this.#cutSeconds += (Date.now() - beganAt) / 1000;
		}
	}

	static async start(page: Page): Promise<Recorder> {
		const session = await page.context().newCDPSession(page);
		const recorder = new Recorder(session);
		// Chromium sends at once what it drew last: without this, the empty page before the first card.
		await page.screenshot();
		await session.send('Page.startScreencast', { format: 'jpeg', quality: 90 });
		return recorder;
	}

	/**
	 * Ends the recording and writes the film, H.264 in MP4.
	 *
	 * @returns its length in seconds
	 */
	async finish(film: string): Promise<number> {
		await this.#session.send('Page.stopScreencast');
		await this.#session.detach();
		const lines = this.#frames.flatMap(({ file, atSeconds }, index) => {
			const next = this.#frames[index + 1]?.atSeconds ?? atSeconds + 1;
			return [`file '${file}'`, `duration ${Math.max(0.001, next - atSeconds).toFixed(3)}`];
		});
		const list = path.join(this.#folder, 'frames.txt');
		writeFileSync(list, lines.join('\n'));
		const input = ['-f', 'concat', '-safe', '0', '-i', list];
		const output = ['-r', '15', '-c:v', 'libx264', '-crf', '26', '-pix_fmt', 'yuv420p'];
		ffmpeg([...input, '-vf', 'pad=ceil(iw/2)*2:ceil(ih/2)*2', ...output, film]);
		rmSync(this.#folder, { recursive: true, force: true });
		const first = this.#frames.at(0)?.atSeconds ?? 0;
		return (this.#frames.at(-1)?.atSeconds ?? first) - first + 1;
	}
}

/** The film's beginning as an animated WebP, which GitHub and npm show in a README. */
export function writePreview(film: string, preview: string, seconds: number): void {
	const looks = ['-vf', 'fps=5,scale=960:-1', '-c:v', 'libwebp_anim', '-quality', '60'];
	ffmpeg(['-t', String(seconds), '-i', film, ...looks, '-loop', '0', preview]);
}
