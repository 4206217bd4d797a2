import type { INodeProperties } from 'n8n-workflow';
import { optionFields } from '../../fields/basic';
import { isJsonObject } from '../../service/http/answer';
import type { RunContext } from '../connection/runContext';
import { isConstant } from '../input/readFields';
import { runError } from '../output/itemError';

const FIELD = 'onlyPrice';

/**
 * Whether the run is only to tell its price, by the groups of options that its operation has: what another operation has
 * left in the node is not shown, and does not count. Each item may have an expression for it; what gives no answer is
 * refused when the item is read. Throws a NodeOperationError where some items say yes and others no.
 */
export function wantsPrice(ctx: RunContext, fields: readonly INodeProperties[]): boolean {
	const parameters: Record<string, unknown> = ctx.getNode().parameters;
	const own = fields.filter((field) => optionFields(field).some(({ name }) => name === FIELD)).map(({ name }) => name);
	const readers = [...new Set(own)].flatMap((name) => {
		const { [name]: stored } = parameters;
		// Most nodes do not have the option, and most that have it no expression: nothing is evaluated for them.
		if (isJsonObject(stored) && stored[FIELD] === undefined) return [];
		if (isJsonObject(stored) && isConstant(stored[FIELD])) return [() => answerIn(stored)];
		return stored === undefined ? [] : [(item: number) => evaluated(ctx, name, item)];
	});
	if (readers.length === 0) return false;
	const answers = [...ctx.getInputData().keys()].map((item) => readers.map((read) => read(item)));
	const yes = answers.findIndex((all) => all.includes(true));
	const no = answers.findIndex((all) => all.includes(false));
	if (yes === -1 || no === -1) return yes !== -1;
	const message = `"Only Tell the Price" is on for item ${yes} and off for item ${no}, and it must be the same for all items: separate them with an IF first. Nothing was sent.`;
	throw runError(ctx, { item: no, kind: 'badInput', message }, []);
}

function evaluated(ctx: RunContext, group: string, item: number): boolean | undefined {
	try {
		return answerIn(ctx.getNodeParameter(group, item, {}));
	} catch {
		return undefined;
	}
}

/** An item without the option is to be carried out. Undefined for what is no answer. */
function answerIn(options: unknown): boolean | undefined {
	if (!isJsonObject(options) || !Object.hasOwn(options, FIELD)) return false;
	const { [FIELD]: given } = options;
	if (given === true || given === 'true') return true;
	return given === false || given === 'false' ? false : undefined;
}
