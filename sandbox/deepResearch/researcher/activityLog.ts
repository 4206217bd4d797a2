import type { PageText } from '../../html/pageText.ts';
import type { Activity, ActivityType, ResearchStep } from '../researchJob.ts';
import type { SubQuestion } from './questions.ts';

/** Notes what a job does, in the words of recordings dr-02 to dr-04. */
export interface ActivityLog {
	steps: ResearchStep[];
	planned(topic: string, depth: number): void;
	searching(topic: string, questions: readonly SubQuestion[], depth: number): void;
	found(count: number, questions: number, depth: number): void;
	couldNotRead(url: string, depth: number): void;
	read(page: PageText, depth: number): void;
	analyzed(depth: number, remark: string): void;
	synthesized(depth: number): void;
}

/** See `ActivityLog`. */
export function activityLog(): ActivityLog {
	const steps: ResearchStep[] = [];
	const note = (
		type: ActivityType,
		status: Activity['status'],
		message: string,
		depth: number,
	): void => void steps.push({ activity: { type, status, message, depth } });
	return {
		steps,
		planned: (message, depth) => note('thought', 'complete', message, depth),
		searching(topic, questions, depth) {
			note('search', 'processing', `Generating deeper search queries for "${topic}"`, depth);
			note(
				'search',
				'processing',
				`Starting ${questions.length} parallel searches for "${topic}"`,
				depth,
			);
			for (const { search, goal } of questions) {
				note('search', 'processing', `Searching for "${search}" - Goal: ${goal}`, depth);
			}
		},
		found(count, questions, depth) {
			const message = `Found ${count} new relevant results across ${questions} parallel queries`;
			note('search', 'complete', message, depth);
		},
		couldNotRead: (url, depth) => note('extract', 'error', `Could not read ${url}`, depth),
		read({ url, title, description, icon }, depth) {
			steps.push({ source: { url, title, description, icon } });
			note('extract', 'complete', `Read "${title}"`, depth);
		},
		analyzed(depth, remark) {
			note('analyze', 'processing', 'Analyzing findings and planning next steps', depth);
			note('reasoning', 'complete', remark, depth);
			note('analyze', 'complete', 'Analyzed findings', depth);
		},
		synthesized(depth) {
			note('synthesis', 'processing', 'Preparing final analysis', depth);
			note('synthesis', 'complete', 'Research completed', depth);
		},
	};
}
