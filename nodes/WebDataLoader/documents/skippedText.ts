import { count, named } from '../../WebData/run/forLoader';
import type { SkippedPage } from './loadedPage';

/** What to say of pages that became no document, one sentence for each reason; none without such pages. */
export function skippedText(skipped: readonly SkippedPage[], unit: string): string[] {
	const of = (why: SkippedPage['why'], text: string) => {
		const names = skipped.filter((page) => page.why === why).map(({ name }) => name);
		return names.length === 0
			? []
			: [`${count(names.length, unit)} ${text}, so no document was made: ${named(names)}.`];
	};
	const errors = [...new Set(skipped.filter(({ why }) => why === 'error').map(({ name }) => name))];
	const failed = skipped.filter(({ why }) => why === 'error').length;
	const [first] = errors;
	return [
		...(first === undefined
			? []
			: [
					`${count(failed, 'item')} failed, so no document was made of ${failed === 1 ? 'it' : 'them'}: ${first}`,
				]),
		...of('failed', 'could not be read'),
		...of('empty', 'had no text'),
	];
}
