import { defineConfig } from 'vitest/config';

import { options, project, SIMULATIONS } from './vitest.config.mjs';

/** The first part of `npm run test:nightly`. */
export default defineConfig({
	test: { ...options, projects: [project('simulations', { include: SIMULATIONS })] },
});
