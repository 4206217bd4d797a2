import { sleep } from 'n8n-workflow';
import type { Time } from '../../service/http/time';

/** The clock of this process, its timers and its randomness: the only place that asks for them. */
export const processClock: Time = {
	now: () => performance.now(),
	wallClock: () => Date.now(),
	sleep: async (ms, wake) => await sleep(ms, wake).catch(() => undefined),
	random: () => Math.random(),
};

/** The same, with a sleep that keeps no process from ending, unlike n8n's. */
export const unnoticedClock: Time = {
	...processClock,
	async sleep(ms, wake) {
		await new Promise<void>((resolve) => {
			const end = () => {
				wake?.removeEventListener('abort', end);
				resolve();
			};
			wake?.addEventListener('abort', end);
			AbortSignal.timeout(Math.max(0, Math.ceil(ms))).addEventListener('abort', end);
		});
	},
};
