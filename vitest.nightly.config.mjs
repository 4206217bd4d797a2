import { defineConfig } from 'vitest/config';

import { engine, options, project, RANDOM_SETTINGS } from './vitest.config.mjs';

const CHAOS_JOBS = process.env.CHAOS_JOBS ?? '10000';

/** The first part of `npm run test:nightly`. */
export default defineConfig({
	test: {
		...options,
		projects: [
			project('unit', {
				include: [...RANDOM_SETTINGS, 'test/unit/research/made/made.test.ts'],
				env: { RESEARCH_QUESTIONS: '20' },
			}),
			engine({ name: 'limits', include: ['test/engine/limits.test.ts'], env: { LIMITS_SCALE: '5' } }),
			engine({ name: 'chaos', include: ['test/engine/chaos/chaos.test.ts'], env: { CHAOS_JOBS } }),
		],
	},
});
