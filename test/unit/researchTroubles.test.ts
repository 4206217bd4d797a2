import { dataIn, site, stepOf, World } from './research/world.ts';

it('notices a context that is cut without a word', async () => {
	const facts = Array.from({ length: 400 }, (_unused, at) => `Acme has ${at + 100} boats in port ${at}.`);
	const world = new World(
		{ 'https://a.example/': facts.join('\n\n') },
		{
			read: (request) => {
				// The server reads 1,000 tokens of what it is sent, and says nothing.
				const seen = (dataIn(request)[0] ?? '').slice(0, 4_000);
				const claims = [...seen.matchAll(/Acme has \d+ boats in port \d+\./g)].map(([text]) => ({
					text,
					quote: text,
					question: 1,
				}));
				return {
					content: JSON.stringify({ claims }),
					inputTokens: Math.min(1_000, Math.ceil(request.user.length / 4)),
					outputTokens: 100,
				};
			},
		},
	);
	const result = await world.run();
	expect(result.claims.length).toBeGreaterThan(390);
	expect(result.warnings.join(' ')).toContain('cuts long texts silently');
});

it('scrapes pages again that a server has not kept, and says so', async () => {
	const first = new World(site(3));
	first.beforeCall = (kind, what) => {
		if (kind === 'ask' && what === 'gaps') throw new Error('killed');
	};
	await first.run().catch(() => undefined);
	const again = new World(site(3));
	for (const [step, entry] of first.notes.entries) {
		// What was read of the pages is lost, that they were scraped is not.
		if (!/^(claims|read|judge) /.test(step)) again.notes.entries.set(step, entry);
	}
	again.beforeCall = () => undefined;
	const parts = again.parts;
	Object.defineProperty(again, 'parts', {
		value: { ...parts, readBack: async () => await Promise.reject(new Error('404')) },
	});
	const result = await again.run();
	expect(result.claims).toHaveLength(3);
	expect(again.scraped).toHaveLength(3);
	expect(result.warnings.join(' ')).toContain('3 pages of an earlier try were scraped and paid for again');
	expect(again.requests.filter((request) => stepOf(request) === 'read')).toHaveLength(3);
});
