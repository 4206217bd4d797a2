import { stepOf, World } from './world.ts';

const ACME = 'https://acme.example/about';
const NEWS = 'https://news.example/acme';

function pages(): Record<string, string> {
	return {
		[ACME]: '# About\n\nAcme was founded in 1990 in Graz.',
		[NEWS]: 'Acme employs **1,200** people today.',
	};
}

it('plans and reads again where a retry has another system prompt, and pays for no page twice', async () => {
	const world = new World(pages());
	await world.run();
	const first = world.requests.length;
	await world.run({ systemPrompt: 'Check the staff only.' });
	const again = world.requests.slice(first).map(stepOf);
	expect(again).toEqual(['plan', 'gaps', 'write']);
	world.script.plan = () =>
		JSON.stringify({ subQuestions: ['Who leads it?'], queries: ['acme history', 'acme staff'] });
	await world.run({ systemPrompt: 'Check the leaders only.' });
	expect(world.requests.slice(first + 3).map(stepOf)).toContain('read');
	expect(world.scraped).toHaveLength(2);
	expect(world.searched).toHaveLength(2);
});
