import { spoil } from '../../../sandbox/model/modelFault.ts';
import { row } from '../row.ts';
import type { Measure, Row } from '../row.ts';
import { checkItem } from './checker.ts';
import { pagesOf } from './pages.ts';
import { madeQuestions } from './questions.ts';
import type { KnownFact, MadeQuestion } from './questions.ts';
import { MadeWorld } from './world.ts';
import type { Spoil } from './world.ts';

/** Every second answer has quotes that stand nowhere, other figures or citations of nothing. */
const lies: Spoil = (reply, _user, count) => {
	const faults = ['inventedQuotes', 'changedFigures', 'unknownCitations'] as const;
	const fault = faults[Math.floor(count / 2) % faults.length] ?? 'inventedQuotes';
	const { content } = count % 2 === 0 ? spoil({ content: reply }, [fault]) : { content: reply };
	return typeof content === 'string' ? content : reply;
};

function factsOf({ common, contradiction, deep }: MadeQuestion): KnownFact[] {
	return [...common, contradiction, deep];
}

interface Total {
	statements: number;
	supported: number;
	facts: number;
	found: number;
	contradictions: number;
}

async function allQuestions(say: (line: string) => void, spoiled?: Spoil): Promise<Total> {
	const total: Total = { statements: 0, supported: 0, facts: 0, found: 0, contradictions: 0 };
	for (const question of madeQuestions()) {
		const world = new MadeWorld(pagesOf(question), undefined, spoiled);
		const result = await world.run(question.query);
		const { statements, supported, faults } = checkItem(result, world.texts);
		for (const fault of faults) say(`${question.subject}: ${fault}`);
		const facts = factsOf(question);
		const found = facts.filter(
			({ figure }) => result.finalAnalysis.includes(` ${figure} `) || result.finalAnalysis.includes(` ${figure}.`),
		);
		for (const { sentence } of facts.filter((one) => !found.includes(one))) {
			if (!spoiled) say(`not found: ${sentence}`);
		}
		total.statements += statements;
		total.supported += supported;
		total.facts += facts.length;
		total.found += found.length;
		total.contradictions += result.contradictions.length > 0 ? 1 : 0;
	}
	return total;
}

/** Whether what the reports say stands on the pages that they cite, and what of the known facts they say. */
export const measure: Measure = async (say) => {
	const honest = await allQuestions(say);
	const lying = await allQuestions(say, lies);
	const questions = madeQuestions().length;
	return [
		supportRow('statements whose quote stands on the cited page', honest),
		supportRow('the same with a model that lies in every second answer', lying),
		row({
			name: 'known facts found',
			value: honest.found,
			unit: 'facts',
			reference: honest.facts,
			target: { of: 'ratio', least: 0.9 },
		}),
		row({
			name: 'contradictions between pages named',
			value: honest.contradictions,
			unit: 'questions',
			reference: questions,
			target: { of: 'ratio', least: 0.9 },
		}),
		row({
			name: 'known facts found with the model that lies',
			value: lying.found,
			unit: 'facts',
			reference: lying.facts,
		}),
	];
};

function supportRow(name: string, { statements, supported }: Total): Row {
	const target = { of: 'ratio', least: 1, most: 1 } as const;
	return row({ name, value: supported, unit: 'statements', reference: statements, target });
}
