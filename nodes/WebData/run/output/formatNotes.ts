import type { JsonObject } from '../../../service/http/transport';
import { isUnreadPdf, lackingFormats, type AskedFormats } from '../../operation/askedFormats';
import { count } from './hintText';

/** What was asked for of pages and did not come, counted by format. */
export class FormatNotes {
	private readonly lacking = new Map<string, number>();

	private unreadPdfs = 0;

	/** Pages without text of which personal data was to be redacted. */
	private emptied = 0;

	notePage(page: JsonObject, asked: AskedFormats): void {
		if (isUnreadPdf(page, asked)) this.unreadPdfs += 1;
		const formats = lackingFormats(page, asked);
		for (const format of formats) this.lacking.set(format, (this.lacking.get(format) ?? 0) + 1);
		if (asked.redacts && formats.includes('markdown')) this.emptied += 1;
	}

	/** Sentences, each once for a run. */
	texts(): string[] {
		const lacking = [...this.lacking].map(([format, pages]) => `${format} (missing in ${pages})`);
		const texts: string[] = [];
		if (lacking.length > 0) {
			const why =
				this.emptied > 0
					? ' A server without the service for Redact Personal Data gives empty text, which is paid for.'
					: '';
			texts.push(`The service did not give all that was asked for: ${lacking.join(', ')}.${why}`);
		}
		if (this.unreadPdfs > 0) {
			texts.push(
				`${count(this.unreadPdfs, 'PDF file')} came without Markdown, because Store as Files with PDF Files keeps them unread: to get their text, scrape them without it.`,
			);
		}
		return texts;
	}
}
