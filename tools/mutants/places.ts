import ts from 'typescript';

/** A change of one place in the code. Its number is given where all files are put together. */
export interface Mutant {
	id: number;
	/** Of the clone, with slashes. */
	file: string;
	/** Counted from 1. */
	line: number;
	kind: string;
	/** What stands there, and what would. */
	before: string;
	after: string;
}

/** A place with what would stand there, before it has a number. */
interface Change {
	node: ts.Node;
	kind: string;
	text: string;
}

const SWAPPED: Partial<Record<ts.SyntaxKind, string>> = {
	[ts.SyntaxKind.LessThanToken]: '<=',
	[ts.SyntaxKind.LessThanEqualsToken]: '<',
	[ts.SyntaxKind.GreaterThanToken]: '>=',
	[ts.SyntaxKind.GreaterThanEqualsToken]: '>',
	[ts.SyntaxKind.EqualsEqualsEqualsToken]: '!==',
	[ts.SyntaxKind.ExclamationEqualsEqualsToken]: '===',
	[ts.SyntaxKind.PlusToken]: '-',
	[ts.SyntaxKind.MinusToken]: '+',
	[ts.SyntaxKind.AsteriskToken]: '/',
	[ts.SyntaxKind.SlashToken]: '*',
};

/** Of two operands only the first one. */
const JOINING: Partial<Record<ts.SyntaxKind, string>> = {
	[ts.SyntaxKind.AmpersandAmpersandToken]: 'second condition',
	[ts.SyntaxKind.BarBarToken]: 'second condition',
	[ts.SyntaxKind.QuestionQuestionToken]: 'fallback',
};

/** Calls whose value is of the kind of what they are called on. */
const PASSING = new Set(['filter', 'slice', 'sort', 'trim', 'toLowerCase', 'reverse', 'replaceAll', 'replace']);

/** A file, read so that its places can be changed. */
export class MutableFile {
	private readonly source: ts.SourceFile;

	private readonly changes = new Map<ts.Node, Array<{ id: number; kind: string; text: string }>>();

	readonly file: string;

	constructor(file: string, text: string) {
		this.file = file;
		this.source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2022, true, ts.ScriptKind.TS);
	}

	/** All changes of it, numbered from `firstId`. */
	mutants(firstId: number): Mutant[] {
		const found: Mutant[] = [];
		const visit = (node: ts.Node, isInFunction: boolean): void => {
			if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isInterfaceDeclaration(node)) return;
			// What runs when a file is loaded runs once for many tests: no switch can change it afterwards.
			if (isInFunction) for (const change of changesOf(node, this.source)) this.keep(change, firstId, found);
			const opens = ts.isFunctionLike(node) || (ts.isPropertyDeclaration(node) && !isStatic(node));
			node.forEachChild((child) => visit(child, isInFunction || opens));
		};
		visit(this.source, false);
		return found;
	}

	/**
	 * The code with all its changes behind switches. `counting`: without them, and with a mark at each place that is
	 * reached, behind its number. Lines stay where they are.
	 */
	withSwitches(counting: boolean, wanted: ReadonlySet<number>): string {
		const text = this.source.text;
		const emit = (node: ts.Node): string => {
			let at = node.getStart(this.source);
			let out = '';
			node.forEachChild((child) => {
				const start = child.getStart(this.source);
				if (start < at) return;
				out += text.slice(at, start) + emit(child);
				at = child.end;
			});
			out += text.slice(at, node.end);
			const own = (this.changes.get(node) ?? []).filter(({ id }) => counting || wanted.has(id));
			if (own.length === 0) return out;
			if (counting) {
				const marks = own.map(({ id }) => `__m.hits[${id}]=1`).join(',');
				return ts.isExpressionStatement(node) ? `{${marks};${out}}` : `(${marks},${out})`;
			}
			if (ts.isExpressionStatement(node)) return `if(${own.map(({ id }) => `__m.on!==${id}`).join('&&')}){${out}}`;
			return own.reduce((sum, { id, text: changed }) => `(__m.on===${id}?(${changed}):${sum})`, `(${out})`);
		};
		const head = 'const __m = (globalThis.__mutants ??= { on: -1, hits: [] });';
		return head + text.slice(0, this.source.getStart()) + emit(this.source);
	}

	private keep({ node, kind, text }: Change, firstId: number, found: Mutant[]): void {
		const id = firstId + found.length;
		const { line } = this.source.getLineAndCharacterOfPosition(node.getStart(this.source));
		const before = node.getText(this.source);
		found.push({ id, file: this.file, line: line + 1, kind, before, after: text });
		this.changes.set(node, [...(this.changes.get(node) ?? []), { id, kind, text }]);
	}
}

function isStatic(node: ts.PropertyDeclaration): boolean {
	return node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.StaticKeyword) ?? false;
}

/** What may be changed at this place. */
function changesOf(node: ts.Node, source: ts.SourceFile): Change[] {
	const raw = (one: ts.Node) => one.getText(source);
	const change = (at: ts.Node, kind: string, text: string): Change => ({ node: at, kind, text });
	if (ts.isIfStatement(node)) {
		const { expression, thenStatement, elseStatement } = node;
		const negated = change(expression, 'condition', `!(${raw(expression)})`);
		return leaves(thenStatement) && !elseStatement ? [negated, change(expression, 'guard', 'false')] : [negated];
	}
	if (ts.isConditionalExpression(node)) return [change(node.condition, 'condition', `!(${raw(node.condition)})`)];
	if (ts.isWhileStatement(node)) return [change(node.expression, 'loop', 'false')];
	if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken)
		return [change(node, 'negation', raw(node.operand))];
	if (ts.isBinaryExpression(node)) {
		const { left, right, operatorToken } = node;
		const joined = JOINING[operatorToken.kind];
		if (joined !== undefined) return [change(node, joined, raw(left))];
		const swapped = SWAPPED[operatorToken.kind];
		return swapped === undefined ? [] : [change(node, 'operator', `${raw(left)} ${swapped} ${raw(right)}`)];
	}
	if (ts.isExpressionStatement(node)) return isCall(node.expression) ? [change(node, 'removed call', '')] : [];
	if (ts.isNumericLiteral(node)) return isName(node) ? [] : [change(node, 'number', `${raw(node)} + 1`)];
	if (node.kind === ts.SyntaxKind.TrueKeyword) return [change(node, 'boolean', 'false')];
	if (node.kind === ts.SyntaxKind.FalseKeyword) return [change(node, 'boolean', 'true')];
	if (ts.isSpreadAssignment(node)) return [change(node.expression, 'spread', '{}')];
	if (ts.isObjectLiteralExpression(node)) return withoutEach(node, source);
	if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression) && !isInChain(node)) {
		const { name, expression } = node.expression;
		return PASSING.has(name.text) ? [change(node, `.${name.text}()`, raw(expression))] : [];
	}
	return [];
}

/** The object without one of its properties, for each of them. */
function withoutEach(node: ts.ObjectLiteralExpression, source: ts.SourceFile): Change[] {
	if (ts.isBinaryExpression(node.parent) && node.parent.left === node) return [];
	const properties = node.properties.filter(
		(one) => ts.isPropertyAssignment(one) || ts.isShorthandPropertyAssignment(one),
	);
	return properties.map((gone) => {
		const kept = node.properties.filter((one) => one !== gone).map((one) => one.getText(source));
		return { node, kind: `property ${gone.name.getText(source)}`, text: `{ ${kept.join(', ')} }` };
	});
}

/** True for what ends its function or its round of a loop. */
function leaves(statement: ts.Statement): boolean {
	const last = ts.isBlock(statement) ? statement.statements.at(-1) : statement;
	if (!last) return false;
	return (
		ts.isReturnStatement(last) || ts.isThrowStatement(last) || ts.isContinueStatement(last) || ts.isBreakStatement(last)
	);
}

function isCall(expression: ts.Expression): boolean {
	const inner = ts.isAwaitExpression(expression) ? expression.expression : expression;
	return ts.isCallExpression(inner) && inner.expression.kind !== ts.SyntaxKind.SuperKeyword;
}

/** The name of a property, not a value. */
function isName(node: ts.Node): boolean {
	if (ts.isBindingElement(node.parent)) return node.parent.propertyName === node;
	return ts.isPropertyAssignment(node.parent) && node.parent.name === node;
}

/** Part of `a?.b.c()`, which brackets would cut in two. */
function isInChain(node: ts.Node): boolean {
	return ts.isOptionalChain(node) || ts.isOptionalChain(node.parent);
}
