import type { IExecuteFunctions } from 'n8n-workflow';

/** What each run has been told, so that a thousand items say it once. */
const told = new WeakMap<IExecuteFunctions, Set<string>>();

/** The hint that additional fields replace what the panel sets. `places` are those in the request's body. */
export function tellReplaced(ctx: IExecuteFunctions, places: string[]): void {
	const before = told.get(ctx) ?? new Set<string>();
	const fresh = places.filter((place) => !before.has(place));
	if (fresh.length === 0) return;
	told.set(ctx, new Set([...before, ...fresh]));
	ctx.addExecutionHints({
		message: `Additional Fields (JSON) replaces what the panel sets: ${fresh.join(', ')}.`,
		type: 'warning',
		location: 'outputPane',
	});
}
