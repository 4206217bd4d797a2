import type { MonitorRequest, MonitorUpdate } from './monitorRequest.ts';

export type PageStatus = 'same' | 'new' | 'changed' | 'removed' | 'error';

type FailedState = 'failed' | 'skipped_overlap' | 'skipped_no_credits';

/** One page of a check. */
export interface CheckPage {
	id: string;
	targetId: string;
	url: string;
	status: PageStatus;
}

export interface Check {
	id: string;
	monitorId: string;
	createdAtMs: number;
	startsAtMs: number;
	endsAtMs: number;
	pages: CheckPage[];
	/** What faults are matched with: the name of its monitor and what that watches. */
	query: string;
	/** How it has ended, where it did not end well. */
	failed?: { state: FailedState; reason: string | null };
	/** Its end was told to the webhook. */
	isTold: boolean;
}

type Target = MonitorRequest['targets'][number] & { id: string };

export interface Monitor extends Omit<MonitorRequest, 'targets'> {
	id: string;
	status: 'active' | 'paused';
	targets: Target[];
	createdAtMs: number;
	updatedAtMs: number;
	/** Newest last. */
	checks: Check[];
	/** What each target's pages were when they were last checked. */
	known: Map<string, Set<string>>;
}

interface MonitorsSetup {
	now(): number;
	newId(): string;
	/** How long a check takes, in milliseconds. */
	checkMs(query: string): number;
	/** How long it waits until somebody takes it up, in milliseconds. */
	queueMs: number;
	/** Told of each page and of the end of a check, as soon as somebody looks or the time is there. */
	onChecked(monitor: Monitor, check: Check): void;
	charge(credits: number): void;
	later(ms: number, callBack: () => void): void;
}

/** What a target checks; of a crawl and a search only stand-ins, for nothing is fetched. */
function addressesOf(target: Target): string[] {
	if (target.type === 'scrape') return target.urls;
	if (target.type === 'crawl') return [target.url];
	return target.queries.map((query) => `https://example.com/?q=${encodeURIComponent(query)}`);
}

/** How a check of a monitor with this name is to end, where not well. */
function endingOf(query: string): Check['failed'] {
	if (query.includes('[overlap]')) return { state: 'skipped_overlap', reason: null };
	if (query.includes('[broke]')) return { state: 'skipped_no_credits', reason: null };
	return query.includes('[fail]') ? { state: 'failed', reason: 'stub: asked to fail' } : undefined;
}

function statusOf(url: string, wasKnown: boolean): PageStatus {
	if (/\.invalid(?:[:/]|$)|\/reset$/.test(url)) return 'error';
	if (!wasKnown) return 'new';
	return /changing/.test(url) ? 'changed' : 'same';
}

/**
 * Keeps monitors and their checks. Nothing is fetched: a page is new, then the same; one with `changing` in
 * its address changes every time, one on a host that ends in .invalid fails. Checks come when somebody runs them.
 */
export function monitors(setup: MonitorsSetup) {
	const all = new Map<string, Monitor>();
	const checks = new Map<string, Check>();

	const lookAt = (monitor: Monitor): CheckPage[] =>
		monitor.targets.flatMap((target) => {
			const known = monitor.known.get(target.id) ?? new Set<string>();
			const addresses = addressesOf(target);
			const page = (url: string, status: PageStatus): CheckPage => ({
				id: setup.newId(),
				targetId: target.id,
				url,
				status,
			});
			const seen = addresses.map((url) => page(url, statusOf(url, known.has(url))));
			const gone = [...known].filter((url) => !addresses.includes(url));
			monitor.known.set(target.id, new Set(addresses));
			return [...seen, ...gone.map((url) => page(url, 'removed'))];
		});

	const tell = (monitor: Monitor, check: Check): void => {
		if (check.isTold || check.endsAtMs > setup.now()) return;
		check.isTold = true;
		setup.charge(check.pages.length);
		setup.onChecked(monitor, check);
	};

	const begin = (monitor: Monitor, atMs: number): Check => {
		const id = setup.newId();
		const query = [monitor.name, ...monitor.targets.flatMap(addressesOf)].join('\n');
		const startsAtMs = atMs + setup.queueMs;
		const endsAtMs = atMs + Math.max(setup.queueMs, setup.checkMs(query));
		const times = { createdAtMs: atMs, startsAtMs, endsAtMs };
		const failed = endingOf(query);
		const pages = failed ? [] : lookAt(monitor);
		const what = { id, monitorId: monitor.id, query, pages, isTold: false };
		const check: Check = { ...what, ...times, ...(failed && { failed }) };
		monitor.checks.push(check);
		checks.set(id, check);
		setup.later(endsAtMs - setup.now(), () => tell(monitor, check));
		return check;
	};

	const running = (monitor: Monitor): Check | undefined =>
		monitor.checks.find(({ startsAtMs, endsAtMs }) => startsAtMs <= setup.now() && setup.now() < endsAtMs);

	const settle = (): void => {
		for (const monitor of all.values()) for (const check of monitor.checks) tell(monitor, check);
	};

	const withIds = (targets: MonitorRequest['targets']): Target[] =>
		targets.map((target) => ({ ...target, id: target.id ?? setup.newId() }));

	return {
		create({ targets, ...request }: MonitorRequest) {
			const nowMs = setup.now();
			const monitor: Monitor = {
				...request,
				id: setup.newId(),
				status: 'active',
				targets: withIds(targets),
				createdAtMs: nowMs,
				updatedAtMs: nowMs,
				checks: [],
				known: new Map(),
			};
			all.set(monitor.id, monitor);
			return monitor;
		},
		update(monitor: Monitor, { targets, ...changes }: MonitorUpdate) {
			Object.assign(monitor, changes, { updatedAtMs: setup.now() });
			if (targets) monitor.targets = withIds(targets);
		},
		find(id: string): Monitor | undefined {
			settle();
			return all.get(id);
		},
		list() {
			settle();
			return [...all.values()].reverse();
		},
		remove: (id: string) => void all.delete(id),
		/** Starts a check, or gives the one that runs; one that nobody has taken up yet is in nobody's way (recording monitor-31). */
		run(monitor: Monitor) {
			settle();
			const busy = running(monitor);
			if (busy) return { check: busy, isNew: false };
			return { check: begin(monitor, setup.now()), isNew: true };
		},
		/** A check stays readable when its monitor is gone (recording monitor-75). */
		findCheck(id: string): Check | undefined {
			settle();
			return checks.get(id);
		},
		stateOf(check: Check) {
			if (check.startsAtMs > setup.now()) return 'queued';
			if (check.endsAtMs > setup.now()) return 'running';
			if (check.failed) return check.failed.state;
			return check.pages.some(({ status }) => status === 'error') ? 'partial' : 'completed';
		},
		/** It has failed as of now, unless it has ended already. */
		fail(id: string, reason: string, nowMs: number) {
			const check = checks.get(id);
			if (!check || check.endsAtMs <= nowMs) return;
			check.startsAtMs = Math.min(check.startsAtMs, nowMs);
			Object.assign(check, { endsAtMs: nowMs, pages: [], failed: { state: 'failed', reason } });
		},
		/** Nobody knows the id any more. */
		vanish(id: string) {
			const monitor = all.get(checks.get(id)?.monitorId ?? '');
			if (monitor) monitor.checks = monitor.checks.filter((check) => check.id !== id);
			checks.delete(id);
		},
		clear() {
			all.clear();
			checks.clear();
		},
	};
}
