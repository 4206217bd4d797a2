import { creditsBelow } from './creditsBelow';
import { jobFinished } from './jobFinished';
import { newPages, newResults } from './newPages';
import { pageChanged } from './pageChanged';
import type { PollEvent } from './pollEvent';

/** Everything that a poll can find, by name. */
export const pollEvents: PollEvent[] = [creditsBelow, jobFinished, newPages, newResults, pageChanged];
