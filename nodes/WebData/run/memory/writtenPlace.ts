import { digest, fingerprint } from '../../../service/jobs/ledger';
import type { RunContext } from '../connection/runContext';

/**
 * What stands in the node and in its input, before any expression is evaluated. While it is the same, nobody
 * has edited what is asked for, whatever the expressions give this time.
 */
export class WrittenPlace {
	/** Of what all items have in common; made when it is first needed. */
	private common: string | undefined;

	/** By item; undefined for what JSON cannot say. */
	private readonly ofItem = new Map<number, string | undefined>();

	private input: ReadonlyArray<{ json: unknown }> | undefined;

	constructor(
		private readonly ctx: RunContext,
		/** Address of the service. */
		private readonly origin: string,
	) {}

	/**
	 * The fingerprint for these input items, in this order; undefined where one of them is not there or cannot
	 * be told from others.
	 */
	fingerprintFor(items: readonly number[]): string | undefined {
		const digests = items.map((item) => this.digestOf(item));
		if (digests.some((one) => one === undefined)) return undefined;
		this.common ??= this.readCommon();
		return digest([this.common, ...digests].join(' '));
	}

	private digestOf(item: number): string | undefined {
		if (!this.ofItem.has(item)) {
			this.input ??= this.ctx.getInputData();
			this.ofItem.set(item, digestOfValue(this.input[item]?.json));
		}
		return this.ofItem.get(item);
	}

	/** n8n's variables are edited elsewhere, but as much by hand as the parameters that name them. */
	private readCommon(): string {
		const { origin } = this;
		const { parameters } = this.ctx.getNode();
		const namesVariables = JSON.stringify(parameters).includes('$vars');
		const variables: unknown = namesVariables ? this.ctx.getWorkflowDataProxy(0).$vars : undefined;
		return fingerprint({ origin, kind: 'written', body: { parameters, variables } });
	}
}

/** n8n keeps the order of keys when it stores an item, and items are large: they are not sorted. */
function digestOfValue(value: unknown): string | undefined {
	try {
		const text: unknown = JSON.stringify(value);
		return typeof text === 'string' ? digest(text) : undefined;
	} catch {
		// A circle, or a number without bounds (BigInt): n8n stores it, JSON does not.
		return undefined;
	}
}
