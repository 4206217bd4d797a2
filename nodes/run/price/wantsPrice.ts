import type { INodeProperties } from 'n8n-workflow';
import { optionFields } from '../../fields/basic';
import { isJsonObject } from '../../service/http/answer';
import type { RunContext } from '../connection/runContext';
import { runError } from '../output/itemError';

const FIELD = 'onlyPrice';

/**
 * Whether the run is only to tell its price, by the groups of options that its operation has: what another operation has
 * left in the node is not shown, and does not count. Each item may have an expression for it; what gives no answer is refused when
 * the item is read. Throws a NodeOperationError where some items say yes and others no.
 */
export function wantsPrice(ctx: RunContext, fields: readonly INodeProperties[]): boolean {
	const parameters: Record<string, unknown> = ctx.getNode().parameters;
	// Most nodes do not have the option: nothing is evaluated for them.
	const own = fields.filter((field) => optionFields(field).some(({ name }) => name === FIELD)).map(({ name }) => name);
	const groups = [...new Set(own)].filter((name) => {
		const { [name]: stored } = parameters;
		return typeof stored === 'string' || (isJsonObject(stored) && stored[FIELD] !== undefined);
	});
	if (groups.length === 0) return false;
	const answers = [...ctx.getInputData().keys()].map((item) => groups.map((name) => answerOf(ctx, name, item)));
	const [yes, no] = [true, false].map((answer) => answers.findIndex((all) => all.includes(answer)));
	if (yes === undefined || no === undefined || yes === -1) return false;
	if (no === -1) return true;
	const message = `"Only Tell the Price" is on for item ${yes} and off for item ${no}, and it must be the same for all items: separate them with an IF first. Nothing was sent.`;
	throw runError(ctx, { item: no, kind: 'badInput', message }, []);
}

/** Undefined where an item has no answer: its expression fails or gives something else. */
function answerOf(ctx: RunContext, group: string, item: number): boolean | undefined {
	try {
		const options: unknown = ctx.getNodeParameter(group, item, {});
		// An item without the option is to be carried out.
		if (!isJsonObject(options) || !Object.hasOwn(options, FIELD)) return false;
		const { [FIELD]: given } = options;
		if (given === true || given === 'true') return true;
		return given === false || given === 'false' ? false : undefined;
	} catch {
		return undefined;
	}
}
