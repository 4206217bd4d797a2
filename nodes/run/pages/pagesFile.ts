import type { INodeExecutionData } from 'n8n-workflow';
import type { JobRecord } from '../../operation/operation';
import { addressOfPage } from '../../operation/webPage';
import type { JsonObject } from '../../service/http/transport';
import { storeStream } from '../files/storedStream';
import { pairedWith, type JobPlan } from '../job/jobPlan';
import {
	creditsOfAll,
	endOfReading,
	isLaterPart,
	jobDraft,
	pageDraft,
	slicesOf,
	sumOfPages,
	wantedOf,
	withEnd,
} from './pageSlices';
import type { ReadingEnd } from './pageSlices';
import type { JobEnd, PagesReading, PagesWork } from './pagesWork';

/** One page a line (jsonlines.org; the media type is what most tools send). */
const JSON_LINES = { extension: 'jsonl', mimeType: 'application/x-ndjson' };

/** The field of the item's binary data that holds the file: n8n's usual name. */
const BINARY_FIELD = 'data';

/**
 * The pages of a job as one file, a line of JSON for each, as One Item per Page would give it. Slice by
 * slice: no more than one is in memory where n8n keeps binary data on disk. Undefined for a job without a
 * page. Throws a ServiceFailure.
 */
export async function pagesFile(
	work: PagesWork,
	plan: JobPlan,
	record: JobRecord,
	end: JobEnd,
): Promise<PagesReading | undefined> {
	const slices = slicesOf(work, plan, record, end);
	const first = await slices.next();
	if (first.done) return undefined;

	const { id, body } = record;
	const { label } = work.operation.job;
	const sum = sumOfPages(work, plan);
	// Both ends, so that a part of a job can be told from the others.
	const found: { firstUrl?: string; lastUrl?: string } = {};
	let bytes = 0;
	let ending: ReadingEnd | undefined;
	const written = () => work.changes.of(plan)?.written ?? sum.pages;
	const linesOf = (pages: readonly JsonObject[]): Buffer => {
		const lines = pages.map((page) => {
			const { json } = pageDraft(work, plan, record, page);
			const url = addressOfPage(page);
			found.firstUrl ??= url;
			found.lastUrl = url;
			return `${JSON.stringify(json)}\n`;
		});
		const piece = Buffer.from(lines.join(''), 'utf8');
		bytes += piece.length;
		return piece;
	};
	async function* pieces(): AsyncGenerator<Buffer> {
		for (let slice = first; !slice.done; slice = await slices.next()) {
			sum.addSlice(slice.value);
			const { pages } = await wantedOf(work, plan, slice.value);
			if (pages.length > 0) yield linesOf(pages);
		}
		ending = await endOfReading(work, plan, record, end, sum);
		const absent = await work.changes.absent(plan, record, end, sum, ending.failures);
		if (absent.length > 0) yield linesOf(absent);
	}
	const { firstPage = 1, mostPages = Infinity } = plan;
	const most = Math.min(mostPages, (Number(body.completed) || 0) - (firstPage - 1));
	// A loop may write its parts into one folder.
	const from = isLaterPart(plan) ? `-from-${firstPage}` : '';
	const binary = await storeStream(work.ctx, {
		fileName: `${label.replace(/\W+/g, '-')}-${id}${from}.${JSON_LINES.extension}`,
		mimeType: JSON_LINES.mimeType,
		pieces: pieces(),
		estimate: () => (bytes / Math.max(1, sum.pages)) * most,
	});

	const { nextPage, failures } = ending ?? {};
	const { json } = withEnd(
		{
			json: {
				...jobDraft(work, record).json,
				pagesInFile: written(),
				bytes,
				...found,
				...(failures && { pagesFailed: failures.length }),
			},
		},
		ending ?? {},
	);
	const item: INodeExecutionData = {
		json,
		binary: { [BINARY_FIELD]: binary },
		pairedItem: pairedWith(plan),
	};
	return {
		items: new Map([[plan.item, [item]]]),
		failures: [],
		pages: sum.pages,
		credits: creditsOfAll(plan, record, end, sum, nextPage),
	};
}
