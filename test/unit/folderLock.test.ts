import { mkdirSync, mkdtempSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { withFolderLock } from '../../n8n/folder-lock';

const busy = 'Another process is at it.';
let root = '';

beforeEach(() => {
	root = mkdtempSync(join(tmpdir(), 'lock-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** The lock of another process, last seen alive some seconds ago. */
function heldElsewhere(folder: string, secondsAgo: number): void {
	mkdirSync(`${folder}.lock`);
	const then = new Date(Date.now() - secondsAgo * 1000);
	utimesSync(`${folder}.lock`, then, then);
}

it('lets one at a time in, tells the second that it waits, and gives what the work gives', async () => {
	const folder = join(root, 'not-there-yet');
	const seen: string[] = [];
	let letGo = (): void => undefined;
	const waiting = new Promise<void>((resolve) => (letGo = resolve));
	let isIn = (): void => undefined;
	const entered = new Promise<void>((resolve) => (isIn = resolve));
	const first = withFolderLock(folder, { timeoutMs: 0, busy }, async () => {
		seen.push('first in');
		isIn();
		await waiting;
		seen.push('first out');
		return 1;
	});
	await entered;
	const onWait = () => {
		seen.push('second waits');
		letGo();
	};
	const second = withFolderLock(folder, { timeoutMs: 10_000, onWait, busy }, async () => {
		await Promise.resolve();
		seen.push('second in');
		return 2;
	});
	expect(await Promise.all([first, second])).toEqual([1, 2]);
	expect(seen).toEqual(['first in', 'second waits', 'first out', 'second in']);
});

it('takes over what a killed process left, and not what a living one holds', async () => {
	const [killed, living] = [join(root, 'killed'), join(root, 'living')];
	heldElsewhere(killed, 11);
	heldElsewhere(living, 0);
	const work = async () => await Promise.resolve('done');
	expect(await withFolderLock(killed, { timeoutMs: 0, busy }, work)).toBe('done');
	await expect(withFolderLock(living, { timeoutMs: 0, busy }, work)).rejects.toThrow(busy);
});

it('is free again when the work fails, and says why the lock cannot be had at all', async () => {
	const folder = join(root, 'folder');
	const fails = async () => await Promise.reject(new Error('no space left'));
	await expect(withFolderLock(folder, { timeoutMs: 0, busy }, fails)).rejects.toThrow('no space');
	const work = async () => await Promise.resolve('done');
	expect(await withFolderLock(folder, { timeoutMs: 0, busy }, work)).toBe('done');
	const nowhere = join(root, 'no', 'such', 'folder');
	await expect(withFolderLock(nowhere, { timeoutMs: 0, busy }, work)).rejects.toThrow('ENOENT');
});
