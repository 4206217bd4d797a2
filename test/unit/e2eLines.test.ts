import { everyLine, newestLine, outerLines } from '../e2e/harness/lines';

describe('the n8n lines of the end-to-end tests', () => {
	it('are all of them for a short run, for what takes long the newest, and else the newest and the oldest', () => {
		expect(everyLine('')).toEqual(['2.41', '2.40', '1.123']);
		expect(outerLines('')).toEqual(['2.41', '1.123']);
		expect(newestLine('')).toEqual(['2.41']);
	});

	it('are those that are named, for all tests', () => {
		expect(everyLine('2.40')).toEqual(['2.40']);
		expect(outerLines('2.40,1.123')).toEqual(['2.40', '1.123']);
		expect(newestLine('1.123')).toEqual(['1.123']);
	});

	it('cannot be others', () => {
		expect(() => everyLine('2.39')).toThrow(
			'There is no n8n 2.39 here; there are 2.41, 2.40, 1.123.',
		);
	});
});
