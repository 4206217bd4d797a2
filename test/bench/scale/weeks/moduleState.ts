import { createRequire } from 'node:module';
import { Session } from 'node:inspector';
import type { Runtime } from 'node:inspector';
import { keptEntries } from '../../../unit/keptEntries.ts';

const HAND_OVER = '__handedOver';

/**
 * What the modules below a folder keep in variables of their own: collections, and objects of classes that
 * hold some. Nothing is exported for it: V8 shows the scopes of functions to whoever debugs.
 */
export class ModuleState {
	private readonly session = new Session();
	private readonly folder: string;

	constructor(folder: string) {
		this.folder = folder;
		this.session.connect();
	}

	/** Entries by `file: variable`, those that hold any. */
	entries(): Map<string, number> {
		const entries = new Map<string, number>();
		const { cache } = createRequire(import.meta.url);
		for (const [file, module] of Object.entries(cache)) {
			if (!file.startsWith(this.folder) || !module) continue;
			for (const [name, value] of this.variablesOf(module.exports)) {
				const count = keptEntries(value);
				if (count > 0) entries.set(`${file.slice(this.folder.length)}: ${name}`, count);
			}
		}
		return entries;
	}

	private variablesOf(exported: unknown): Map<string, object> {
		const variables = new Map<string, object>();
		const functions = Object.values(Object(exported) as object).filter(
			(one) => typeof one === 'function',
		);
		for (const one of functions) {
			for (const { name, value } of this.scopeOf(one as object)) {
				// `_1`: another module.
				if (value?.objectId === undefined || name.endsWith('_1')) continue;
				const object = this.handOver(value.objectId);
				if (isKept(object)) variables.set(name, object);
			}
		}
		return variables;
	}

	private scopeOf(one: object): Runtime.PropertyDescriptor[] {
		Reflect.set(globalThis, HAND_OVER, one);
		const { result } = this.post<Runtime.EvaluateReturnType>('Runtime.evaluate', {
			expression: HAND_OVER,
		});
		const { internalProperties = [] } = this.propertiesOf(result.objectId);
		const scopes = internalProperties.find(({ name }) => name === '[[Scopes]]')?.value?.objectId;
		return this.propertiesOf(scopes).result.flatMap(({ value }) =>
			value?.description?.startsWith('Closure') ? this.propertiesOf(value.objectId).result : [],
		);
	}

	private propertiesOf(objectId = ''): Runtime.GetPropertiesReturnType {
		return this.post('Runtime.getProperties', { objectId, ownProperties: true });
	}

	private handOver(objectId: string): unknown {
		this.post('Runtime.callFunctionOn', {
			objectId,
			functionDeclaration: `function () { globalThis.${HAND_OVER} = this; }`,
		});
		return Reflect.get(globalThis, HAND_OVER);
	}

	/** V8 answers these at once. */
	private post<T>(method: string, parameters: object): T {
		let answer: unknown;
		this.session.post(method, parameters, (error, result) => {
			if (error) throw error;
			answer = result;
		});
		return answer as T;
	}

	/** Lets go of what V8 holds for a debugger. */
	end(): void {
		Reflect.deleteProperty(globalThis, HAND_OVER);
		this.session.disconnect();
	}
}

function isKept(value: unknown): value is object {
	if (value instanceof Map || value instanceof Set) return true;
	if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
	const { constructor } = value;
	return constructor !== Object && constructor !== WeakMap && constructor !== Function;
}
