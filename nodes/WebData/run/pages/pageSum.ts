import type { JsonObject } from '../../../service/http/transport';
import { addCredits, creditsOfPage } from '../../operation/webPage';
import type { RunNotes } from '../output/runNotes';

/** How many pages of a job were read, and what they say that they cost. */
export class PageSum {
	pages = 0;

	/** Undefined as soon as one page does not say it. */
	credits: number | undefined = 0;

	constructor(private readonly notes: RunNotes) {}

	add(page: JsonObject): void {
		this.pages += 1;
		this.credits = addCredits(this.credits, creditsOfPage(page));
		this.notes.notePage(page);
	}
}
