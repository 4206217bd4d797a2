import ts from 'typescript';

/** A small change to a source file that a test should notice. */
export interface Mutant {
	id: number;
	file: string;
	line: number;
	/** The line as it is written, so that a mutant can be named when lines move. */
	code: string;
	/** What it was and what it is, shortened. */
	change: string;
}

export interface MutatedFile {
	/** The source with every mutant in it; which one is in force says the environment's MUTANT. */
	text: string;
	mutants: Mutant[];
}

const SWAPPED = new Map<ts.SyntaxKind, ts.BinaryOperator[]>([
	[
		ts.SyntaxKind.LessThanToken,
		[ts.SyntaxKind.LessThanEqualsToken, ts.SyntaxKind.GreaterThanToken],
	],
	[
		ts.SyntaxKind.LessThanEqualsToken,
		[ts.SyntaxKind.LessThanToken, ts.SyntaxKind.GreaterThanToken],
	],
	[
		ts.SyntaxKind.GreaterThanToken,
		[ts.SyntaxKind.GreaterThanEqualsToken, ts.SyntaxKind.LessThanToken],
	],
	[
		ts.SyntaxKind.GreaterThanEqualsToken,
		[ts.SyntaxKind.GreaterThanToken, ts.SyntaxKind.LessThanToken],
	],
	[ts.SyntaxKind.EqualsEqualsEqualsToken, [ts.SyntaxKind.ExclamationEqualsEqualsToken]],
	[ts.SyntaxKind.ExclamationEqualsEqualsToken, [ts.SyntaxKind.EqualsEqualsEqualsToken]],
	[ts.SyntaxKind.AmpersandAmpersandToken, [ts.SyntaxKind.BarBarToken]],
	[ts.SyntaxKind.BarBarToken, [ts.SyntaxKind.AmpersandAmpersandToken]],
	[ts.SyntaxKind.PlusToken, [ts.SyntaxKind.MinusToken]],
	[ts.SyntaxKind.MinusToken, [ts.SyntaxKind.PlusToken]],
	[ts.SyntaxKind.AsteriskToken, [ts.SyntaxKind.SlashToken]],
	[ts.SyntaxKind.SlashToken, [ts.SyntaxKind.AsteriskToken]],
	[ts.SyntaxKind.PlusEqualsToken, [ts.SyntaxKind.MinusEqualsToken]],
	[ts.SyntaxKind.MinusEqualsToken, [ts.SyntaxKind.PlusEqualsToken]],
	[ts.SyntaxKind.BarBarEqualsToken, [ts.SyntaxKind.EqualsToken]],
]);

const RENAMED: Readonly<Record<string, string>> = {
	min: 'max',
	max: 'min',
	some: 'every',
	every: 'some',
	floor: 'ceil',
};

const { factory } = ts;

/**
 * Puts every mutant of a file into one text: each changed expression becomes a choice, so that the file
 * is compiled once and a mutant is chosen when it is loaded. Ids go on from `firstId`.
 */
export function mutate(file: string, source: string, firstId: number): MutatedFile {
	const sourceFile = ts.createSourceFile(file, source, ts.ScriptTarget.ES2022, true);
	const mutants: Mutant[] = [];
	const printer = ts.createPrinter({ removeComments: true });
	const lines = source.split('\n');

	const note = (node: ts.Node, after: ts.Node | undefined): ts.Expression => {
		const id = firstId + mutants.length;
		const show = (one: ts.Node) =>
			printer.printNode(ts.EmitHint.Unspecified, one, sourceFile).replace(/\s+/g, ' ').slice(0, 70);
		const { line } = sourceFile.getLineAndCharacterOfPosition(node.getStart(sourceFile));
		const change = `${show(node)} → ${after === undefined ? 'nothing' : show(after)}`;
		mutants.push({ id, file, line: line + 1, code: lines[line]?.trim() ?? '', change });
		const chosen = factory.createIdentifier('chosenMutant');
		return factory.createStrictEquality(chosen, factory.createNumericLiteral(id));
	};

	const visitAll: ts.TransformerFactory<ts.SourceFile> = (context) => {
		const visit = (node: ts.Node): ts.Node => {
			if (isNoCode(node)) return node;
			const inner = ts.visitEachChild(node, visit, context);
			if (ts.isExpressionStatement(node) && ts.isExpressionStatement(inner)) {
				const isChosen = note(node, undefined);
				return factory.createIfStatement(factory.createLogicalNot(isChosen), inner);
			}
			if (!ts.isExpression(node) || !ts.isExpression(inner)) return inner;
			return variantsOf(node).reduce<ts.Expression>((whole, variant) => {
				const isChosen = note(node, variant);
				const choice = factory.createConditionalExpression(
					isChosen,
					undefined,
					variant,
					undefined,
					whole,
				);
				return factory.createParenthesizedExpression(choice);
			}, inner);
		};
		return (root) => ts.visitEachChild(root, visit, context);
	};

	const { transformed } = ts.transform(sourceFile, [visitAll]);
	const [mutated] = transformed;
	const head = 'const chosenMutant = Number(process.env.MUTANT ?? -1);\n';
	return { text: head + (mutated ? printer.printFile(mutated) : source), mutants };
}

/** Types, imports and names are not run; texts for people are looked at by other tests. */
function isNoCode(node: ts.Node): boolean {
	return (
		ts.isTypeNode(node) ||
		ts.isImportDeclaration(node) ||
		ts.isInterfaceDeclaration(node) ||
		ts.isTypeAliasDeclaration(node) ||
		ts.isTemplateExpression(node) ||
		(ts.isPropertyAssignment(node) && node.name.getText() === 'message')
	);
}

/** What may stand in place of an expression. */
function variantsOf(node: ts.Expression): ts.Expression[] {
	if (ts.isBinaryExpression(node)) return binaryVariants(node);
	if (ts.isPrefixUnaryExpression(node)) {
		return node.operator === ts.SyntaxKind.ExclamationToken ? [node.operand] : [];
	}
	if (ts.isPostfixUnaryExpression(node)) {
		const isUp = node.operator === ts.SyntaxKind.PlusPlusToken;
		const other = isUp ? ts.SyntaxKind.MinusMinusToken : ts.SyntaxKind.PlusPlusToken;
		return [factory.createPostfixUnaryExpression(node.operand, other)];
	}
	if (node.kind === ts.SyntaxKind.TrueKeyword) return [factory.createFalse()];
	if (node.kind === ts.SyntaxKind.FalseKeyword) return [factory.createTrue()];
	if (ts.isNumericLiteral(node)) {
		const value = Number(node.text.replaceAll('_', ''));
		return [factory.createNumericLiteral(value === 0 ? 1 : value * 2)];
	}
	if (ts.isAwaitExpression(node)) return [node.expression];
	if (ts.isConditionalExpression(node)) {
		return [
			factory.createConditionalExpression(
				factory.createLogicalNot(factory.createParenthesizedExpression(node.condition)),
				undefined,
				node.whenTrue,
				undefined,
				node.whenFalse,
			),
		];
	}
	if (ts.isStringLiteral(node))
		return isPartOfCode(node) ? [factory.createStringLiteral('mutant')] : [];
	if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
		const { expression: owner, name } = node.expression;
		const other = Object.hasOwn(RENAMED, name.text) ? RENAMED[name.text] : undefined;
		if (other === undefined) return [];
		const method = factory.createPropertyAccessExpression(owner, other);
		return [factory.createCallExpression(method, node.typeArguments, node.arguments)];
	}
	return [];
}

function binaryVariants({ left, operatorToken, right }: ts.BinaryExpression): ts.Expression[] {
	if (operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken) return [left, right];
	return (SWAPPED.get(operatorToken.kind) ?? []).map((operator) =>
		factory.createBinaryExpression(left, operator, right),
	);
}

/** A string that is compared, or that says what something is. */
function isPartOfCode(node: ts.StringLiteral): boolean {
	const { parent } = node;
	return (
		ts.isBinaryExpression(parent) ||
		(ts.isPropertyAssignment(parent) && parent.initializer === node) ||
		ts.isCaseClause(parent) ||
		ts.isReturnStatement(parent)
	);
}
