import type { JsonObject } from '../../../service/http/transport';
import { addCredits, creditsOfPage } from '../../operation/webPage';
import type { Slice } from '../../../service/results/slices';
import type { RunNotes } from '../output/runNotes';

/** How many pages of a job were read, and what they say that they cost. */
export class PageSum {
	pages = 0;

	/** Undefined without a page, and as soon as one does not say it. */
	credits: number | undefined;

	/** The last place among all pages of the job that was looked at, from 1; undefined before the first. */
	reached: number | undefined;

	constructor(private readonly notes: RunNotes) {}

	addSlice({ pages, reached }: Slice): void {
		for (const page of pages) this.add(page);
		this.reached = reached;
	}

	private add(page: JsonObject): void {
		const sum = this.pages === 0 ? 0 : this.credits;
		this.pages += 1;
		this.credits = addCredits(sum, creditsOfPage(page));
		this.notes.notePage(page);
	}
}
