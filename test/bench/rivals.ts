import type { HttpCall } from '../../nodes/service/http/transport';

/** What people have today: a fixed pause between two checks. */
export const RIVAL_POLL_MS = 2000;

/** Where a rival works: real or virtual. */
export interface RivalWorld {
	http: HttpCall;
	baseUrl: string;
	sleep: (ms: number) => Promise<unknown>;
}

type Body = Record<string, unknown>;

/**
 * Rival (b): one job after the other. Returns how many results came in.
 * A refused start is lost, as in a workflow without care for 429.
 */
export async function oneAfterTheOther(world: RivalWorld, bodies: Body[]): Promise<number> {
	let results = 0;
	for (const body of bodies) if (await runJob(world, body)) results += 1;
	return results;
}

/** Rival (c): all jobs at once, and no care for 429. Returns how many results came in. */
export async function allAtOnce(world: RivalWorld, bodies: Body[]): Promise<number> {
	const done = await Promise.all(bodies.map(async (body) => await runJob(world, body)));
	return done.filter(Boolean).length;
}

/** Starts a job and looks every two seconds. Returns whether its result came in. */
async function runJob({ http, baseUrl, sleep }: RivalWorld, body: Body): Promise<boolean> {
	const url = `${baseUrl}/v1/deep-research`;
	const timeoutMs = 60_000;
	const started = await jsonOf(http({ method: 'POST', url, body, timeoutMs }));
	if (started === undefined) return false;
	for (;;) {
		await sleep(RIVAL_POLL_MS);
		const looked = http({ method: 'GET', url: `${url}/${String(started.id)}`, timeoutMs });
		const status = await jsonOf(looked);
		if (status === undefined) return false;
		if (status.status === 'completed') return true;
	}
}

/** The body of a 200; undefined for any other answer, which loses the job. */
async function jsonOf(call: ReturnType<HttpCall>): Promise<Body | undefined> {
	const { statusCode, body } = await call;
	const chunks: Uint8Array[] = [];
	for await (const chunk of body) chunks.push(chunk as Uint8Array);
	if (statusCode !== 200) return undefined;
	return JSON.parse(Buffer.concat(chunks).toString('utf8')) as Body;
}
