import type { JsonObject } from '../../../service/http/transport';
import { askedFormats, type AskedFormats } from '../../operation/askedFormats';
import { addCredits, creditsOfPage } from '../../operation/operation';
import type { Slice } from '../../../service/results/slices';
import type { JobPlan } from '../jobs/jobPlan';
import type { RunNotes } from '../output/runNotes';

/** How many pages of a job were read, and what they say that they cost. */
export class PageSum {
	pages = 0;

	/** Undefined without a page, and as soon as one does not say it. */
	credits: number | undefined;

	/** The last place among all pages of the job that was checked, from 1; undefined before the first. */
	reached: number | undefined;

	/** Whether there are pages behind those that were wanted; undefined where that was not checked. */
	hasMore: boolean | undefined;

	/** `asked` is what was asked for of the pages, where that is known. */
	constructor(
		private readonly notes: RunNotes,
		private readonly asked?: AskedFormats,
	) {}

	addSlice({ pages, reached, hasMore }: Slice): void {
		for (const page of pages) this.add(page);
		this.reached = reached;
		this.hasMore = hasMore;
	}

	private add(page: JsonObject): void {
		const sum = this.pages === 0 ? 0 : this.credits;
		this.pages += 1;
		this.credits = addCredits(sum, creditsOfPage(page));
		this.notes.notePage(page, this.asked);
	}
}

/** Counts the pages of a job, and what they lack of what was asked for. */
export function sumOfPages(
	{ notes }: { notes: RunNotes },
	{ sent, storedFiles }: JobPlan,
): PageSum {
	return new PageSum(notes, askedFormats(sent, storedFiles));
}
