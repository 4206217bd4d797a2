import type { RunContext } from '../connection/runContext';
import { digest, fingerprint } from './entries';

/**
 * What is written in the node, before any expression is evaluated, as fingerprints: while it is the same, nobody has
 * edited what is asked for, whatever expressions such as `$now` give.
 */
export class Writing {
	/** Of the input items; undefined for what JSON cannot say. */
	private readonly ofItems = new Map<number, string | undefined>();

	/** Of what all items have in common; made when it is first needed. */
	private ofAll: string | undefined;

	private input: ReadonlyArray<{ json: unknown }> | undefined;

	/** `origin`: address of the service. */
	constructor(
		private readonly ctx: RunContext,
		private readonly origin: string,
	) {}

	/** For these items together; undefined where one of them cannot be told from others. */
	of(items: readonly number[]): string | undefined {
		const digests = items.map((one) => this.ofItem(one));
		if (digests.includes(undefined)) return undefined;
		this.ofAll ??= this.readAll();
		return digest([this.ofAll, ...digests].join(' '));
	}

	/** n8n keeps the order of keys when it stores an item, and items are large: they are not sorted. */
	private ofItem(item: number): string | undefined {
		if (!this.ofItems.has(item)) {
			this.input ??= this.ctx.getInputData();
			this.ofItems.set(item, digestOfValue(this.input[item]?.json));
		}
		return this.ofItems.get(item);
	}

	/** n8n's variables are edited elsewhere, but as much by hand as the parameters that name them. */
	private readAll(): string {
		const { origin, ctx } = this;
		const { parameters } = ctx.getNode();
		const namesVariables = JSON.stringify(parameters).includes('$vars');
		const variables: unknown = namesVariables ? ctx.getWorkflowDataProxy(0).$vars : undefined;
		return fingerprint({ origin, kind: 'written', body: { parameters, variables } });
	}
}

function digestOfValue(value: unknown): string | undefined {
	try {
		const text: unknown = JSON.stringify(value);
		return typeof text === 'string' ? digest(text) : undefined;
	} catch {
		// A circle, or a number without bounds (BigInt): n8n stores it, JSON does not.
		return undefined;
	}
}
