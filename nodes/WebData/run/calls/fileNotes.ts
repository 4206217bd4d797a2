import { refusedInput } from '../../../service/http/failure';
import type { ServiceFailure } from '../../../service/http/failure';
import type { ServiceRequest } from '../../../service/http/transport';
import type { RunNotes } from '../output/runNotes';

/** Slowest line that a file is waited for on, in bytes a millisecond: 100 KB a second. */
const SLOWEST_LINE = 100;

/** How much longer a request may take because of the file that it sends, in milliseconds. */
export function uploadTimeMs({ form }: ServiceRequest): number {
	return form ? Math.ceil(form.file.bytes / SLOWEST_LINE) : 0;
}

/** Notes the files of an item that are not sent, and that it has none at all. */
export function noteFiles(notes: RunNotes, item: number, sent: number, leftOut: string[]): void {
	for (const name of leftOut) notes.noteLeftOut(name);
	if (sent === 0) notes.noteEmpty(`file to read in item ${item}`);
}

/** An AI agent sees no hints, so an error says it. */
export function withoutFile(item: number): ServiceFailure {
	return refusedInput(`Item ${item} has no file that the service can read.`);
}
