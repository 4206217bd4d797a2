import { engine, options, project, RANDOM_SETTINGS } from './jest.config.mjs';

const amounts = {
	CHAOS_JOBS: '10000',
	LIMITS_SCALE: '5',
	RESEARCH_QUESTIONS: '20',
	TEST_LIMIT_S: '3600',
	KILL_POINTS: 'all',
	CHANGES_SEEDS: '60',
	PRICE_CASES: '2000',
};
for (const [name, amount] of Object.entries(amounts)) process.env[name] ??= amount;

/** The first part of `npm run test:nightly`. */
export default {
	...options,
	projects: [
		project('unit', {
			testMatch: [
				RANDOM_SETTINGS,
				'<rootDir>/test/unit/research/made/made.test.ts',
				'<rootDir>/test/unit/changesOverYears.test.ts',
			],
		}),
		engine({ displayName: 'limits', testMatch: ['<rootDir>/test/engine/limits.test.ts'] }),
		engine({ displayName: 'kill points', testMatch: ['<rootDir>/test/engine/killPoints.test.ts'] }),
		engine({ displayName: 'prices', testMatch: ['<rootDir>/test/engine/priceProperty.test.ts'] }),
		engine({ displayName: 'chaos', testMatch: ['<rootDir>/test/engine/chaos/chaos.test.ts'] }),
	],
};
