import { answerText, plainText } from '../../../nodes/research/model/answers';
import { showReport, SourceNumbers } from '../../../nodes/research/report/showReport';
import { MAKERS_CLAIMS, OUTPUTS } from './makers.ts';
import type { Output } from './makers.ts';
import { checkedBy, judgedByWords, withoutJumps } from './reports.ts';

/** What is lost of an output, and which of its lies get out. */
async function troublesOf({ report, shown, lies }: Output): Promise<string[]> {
	const checked = await checkedBy(plainText(answerText(report)), MAKERS_CLAIMS, judgedByWords);
	const sources = new SourceNumbers();
	const text = withoutJumps(showReport(checked, MAKERS_CLAIMS, sources, 'leaveOut'));
	const lost = shown.filter(([piece, ...claims]) => {
		const behind = text
			.split(piece)
			.slice(1)
			.map((rest) => /^[^[\n]*?((?:\s?\[\d+\]\([^()]*\))+)/.exec(rest.replaceAll('`', ''))?.[1] ?? '');
		return !behind.some((links) => claims.every((one) => links.includes(`site${one}.example`)));
	});
	return [
		...lost.map(([piece]) => `lost: ${piece}`),
		...lies.filter((lie) => text.replace(/\]\([^()]*\)/g, ']').includes(lie)).map((lie) => `let out: ${lie}`),
		...(/&amp;lt;|\\\./.test(text) ? ['escaped twice'] : []),
	];
}

it('loses no piece and lets out no lie, in whatever form a model writes', async () => {
	const troubles = await Promise.all(
		OUTPUTS.map(async (output) => (await troublesOf(output)).map((one) => `${output.form}: ${one}`)),
	);
	expect(troubles.flat()).toEqual([]);
	expect(OUTPUTS.length).toBeGreaterThanOrEqual(60);
});
