import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { asked, memories } from './nodeMemories';
import type { Parts } from './nodeMemories';

describe('a retry of an execution', () => {
	const written = { parameters: { url: '={{ $json.q }} {{ $now }}' }, items: [{ q: 1 }, { q: 2 }] };

	it('finds the job of a place while nothing is edited, whatever expressions give now', () => {
		const open = memories();
		open(written).remember(asked('a'), { id: 'one' });
		open(written).remember(asked('a', 1), { id: 'two' });
		const retry = open({ ...written, execution: '2' });
		expect(retry.find(asked('b'))?.id).toBe('one');
		expect(retry.find(asked('c', 1))?.id).toBe('two');
		expect(retry.left).toEqual([]);
		const further = open({ ...written, execution: '3' });
		expect(further.find(asked('d'))?.id).toBe('one');
		expect(open({ ...written, execution: '4', run: 1 }).find(asked('a'))).toBeUndefined();
	});

	it.each<[string, Parts]>([
		['a parameter', { parameters: { url: '={{ $json.q }}' } }],
		['a parameter that is not sent', { parameters: { ...written.parameters, notice: '' } }],
		['its input item', { items: [{ q: 3 }, { q: 2 }] }],
		['the order of items', { items: [{ q: 2 }, { q: 1 }] }],
		['the service', { origin: 'https://x.example' }],
	])('finds it by what is asked for after somebody has changed %s', (_what, changed) => {
		const open = memories();
		open(written).remember(asked('a'), { id: 'one' });
		const retry = open({ ...written, ...changed, execution: '2' });
		expect(retry.find(asked('b'))).toBeUndefined();
		const isSameService = changed.origin === undefined;
		expect(retry.find(asked('a'))?.id).toBe(isSameService ? 'one' : undefined);
	});

	it('finds it in spite of other items that were added', () => {
		const open = memories();
		open(written).remember(asked('a'), { id: 'one' });
		const retry = open({ ...written, items: [{ q: 1 }, { q: 9 }], execution: '2' });
		expect(retry.find(asked('b'))?.id).toBe('one');
	});

	it.each([
		['={{ $vars.site }}', undefined],
		['={{ $now }}', 'one'],
	])('takes variables that %s names for written', (url, id) => {
		const open = memories();
		const parts = { parameters: { url }, variables: { site: 'a' } };
		open(parts).remember(asked('a'), { id: 'one' });
		const retry = open({ ...parts, variables: { site: 'b' }, execution: '2' });
		expect(retry.find(asked('b'))?.id).toBe(id);
	});

	it('finds what somebody went back to, although its expressions move', () => {
		const open = memories();
		open(written).remember(asked('a'), { id: 'one' });
		const edited = { ...written, parameters: { url: 'x' } };
		open({ ...edited, execution: '2' }).remember(asked('x'), { id: 'two' });
		const back = open({ ...written, execution: '3' });
		expect(back.find(asked('b'))?.id).toBe('one');
		expect(back.left.map(({ id }) => id)).toEqual(['two']);
	});

	it('keeps the parts of an item apart when somebody goes back', () => {
		const open = memories();
		const part = (url: string, index: number) => ({ ...asked(url), part: index });
		for (const index of [0, 1, 2])
			open(written).remember(part(`file ${index}`, index), { id: `job-${index}` });
		const edited = open({ ...written, parameters: { url: 'x' }, execution: '2' });
		for (const index of [0, 1, 2]) edited.remember(part('x', index), { id: `new-${index}` });
		const back = open({ ...written, execution: '3' });
		const found = [0, 1, 2].map((index) => back.find(part('moved', index))?.id);
		expect(found).toEqual(['job-0', 'job-1', 'job-2']);
	});

	it('names the job of an item that cannot even be asked for this time', () => {
		const open = memories();
		open(written).remember(asked('a', 1), { id: 'one' });
		expect(open({ ...written, execution: '2' }).startedFor(1)?.id).toBe('one');
		expect(open({ ...written, execution: '2' }).startedFor(0)).toBeUndefined();
		expect(open({ execution: '2', items: written.items }).startedFor(1)).toBeUndefined();
	});

	it('finds the items of a shared job while none of them is edited', () => {
		const open = memories();
		const shared = [0, 1].map((item) => ({ item, entry: `https://a.example/${item}` }));
		open(written).remember(asked('a'), { id: 'one', shared });
		const sharedIn = (parts: Parts) =>
			open({ ...written, ...parts, execution: '2' }).sharedBefore.map(({ id }) => id);
		expect(sharedIn({})).toEqual(['one']);
		expect(sharedIn({ items: [...written.items, { q: 3 }] })).toEqual(['one']);
		expect(sharedIn({ items: [{ q: 1 }, { q: 3 }] })).toEqual([]);
		expect(sharedIn({ items: [{ q: 1 }] })).toEqual([]);
		expect(sharedIn({ parameters: {} })).toEqual([]);
	});

	it('works with items that JSON cannot say', () => {
		const open = memories();
		const circle: IDataObject = {};
		circle.self = circle;
		open({ items: [circle] }).remember(asked('a'), { id: 'one' });
		const retry = open({ parameters: { edited: '1' }, items: [circle], execution: '2' });
		expect(retry.find(asked('b'))).toBeUndefined();
		expect(retry.find(asked('a'))?.id).toBe('one');
	});

	/** What is written in the node and its item, what its expressions give, in an execution of the chain. */
	const tries = fc.array(
		fc.record({
			parameter: fc.nat(2),
			item: fc.nat(2),
			gives: fc.nat(2),
			isRetry: fc.boolean(),
		}),
		{ minLength: 1, maxLength: 12 },
	);

	it('starts a job when, and only when, no earlier one has its words or its request', () => {
		fc.assert(
			fc.property(tries, (chain) => {
				const open = memories();
				/** What each job stands for; the last of an execution stands for all that its tries ask. */
				const jobs: Array<{ id: string; written: string; url: string }> = [];
				let [execution, current] = [0, ''];
				for (const { parameter, item, gives, isRetry } of chain) {
					const isNext = isRetry || execution === 0;
					if (isNext) execution += 1;
					// Within an execution nobody edits anything.
					else if (jobs.length > 0) {
						const tried = open({ execution: String(execution) });
						expect(tried.find(asked(`other ${gives}`))?.id).toBe(current);
						continue;
					}
					const words = `${parameter} ${item}`;
					const url = `${gives}`;
					const memory = open({
						execution: String(execution),
						parameters: { url: `={{ ${parameter} }}` },
						items: [{ q: item }],
					});
					const found = memory.find(asked(url));
					const fits = jobs.filter((job) => job.written === words || job.url === url);
					if (found === undefined) {
						expect(fits).toEqual([]);
						current = `job-${jobs.length}`;
						jobs.push({ id: current, written: words, url });
						memory.remember(asked(url), { id: current });
					} else {
						expect(fits.map(({ id }) => id)).toContain(found.id);
						current = found.id ?? '';
						for (const job of jobs) if (job.id === current) job.written = words;
					}
				}
			}),
		);
	});
});
