/**
 * `npm run video`: films the real editor, the newest n8n with the sandbox, from install to a trigger that
 * starts a workflow. The film goes to .video/, which is neither in git nor in the package; its first
 * minute to docs/pictures. Needs ffmpeg besides Chromium.
 */
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { N8nClient } from '../../n8n/client.ts';
import { startDemo } from '../../n8n/demo.ts';
import { newestN8n, projectRoot } from '../../n8n/project.ts';
import { Editor } from './harness/editor.ts';
import { Recorder, writePreview } from './video/recorder.ts';
import * as scenes from './video/scenes.ts';
import { Stage } from './video/stage.ts';

const WINDOW = { width: 1280, height: 720 };
const PREVIEW_SECONDS = 60;

const root = projectRoot();
const film = path.join(root, '.video/n8n-nodes-web-data.mp4');
const preview = path.join(root, 'docs/pictures/first-minute.webp');
mkdirSync(path.dirname(film), { recursive: true });

const dataFolder = mkdtempSync(path.join(tmpdir(), 'web-data-video-'));
const demo = await startDemo({ root, version: newestN8n, dataFolder, env: {}, say: console.log });
try {
	const client = new N8nClient(demo.n8n.baseUrl);
	await client.login(demo.owner);
	const [credential] = await client.credentials();
	if (credential === undefined) throw new Error('The demo has no credential.');
	const editor = await Editor.open(demo.n8n.baseUrl, demo.owner, WINDOW);
	try {
		const stage = await Stage.on(editor.page);
		// The first frame is what GitHub shows while the film loads.
		await stage.card('n8n-nodes-web-data');
		const recorder = await Recorder.start(editor.page);
		const service = demo.service.credential;
		const set = { recorder, stage, editor, client, credential, service };
		const { install, makeCredential, scrape, crawl, search, trigger, end } = scenes;
		for (const scene of [install, makeCredential, scrape, crawl, search, trigger, end]) {
			console.log(scene.name);
			await scene(set);
		}
		const seconds = await recorder.finish(film);
		writePreview(film, preview, PREVIEW_SECONDS);
		for (const file of [film, preview]) {
			console.log(`${path.relative(root, file)}: ${Math.round(statSync(file).size / 1024)} KB`);
		}
		console.log(`${Math.round(seconds)} seconds`);
	} finally {
		await editor.close();
	}
} finally {
	await demo.stop();
	rmSync(dataFolder, { recursive: true, force: true });
}
