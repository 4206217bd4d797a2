import { batteries } from './pages/batteries.ts';
import { caseLindmoor } from './pages/caseLindmoor.ts';
import { caseNordhaven } from './pages/caseNordhaven.ts';
import { costs } from './pages/costs.ts';
import { hubs } from './pages/hubs.ts';
import { loadLimits } from './pages/loadLimits.ts';
import { maintenance } from './pages/maintenance.ts';
import { noiseEmissions } from './pages/noiseEmissions.ts';
import { overview } from './pages/overview.ts';
import { riders } from './pages/riders.ts';
import { rules } from './pages/rules.ts';
import { safety } from './pages/safety.ts';
import { vans } from './pages/vans.ts';
import { winter } from './pages/winter.ts';
import type { SitePage } from './page.ts';

/** All pages, in the order of the navigation. */
export const PAGES: readonly SitePage[] = [
	overview,
	costs,
	batteries,
	winter,
	safety,
	rules,
	hubs,
	caseNordhaven,
	caseLindmoor,
	maintenance,
	riders,
	loadLimits,
	vans,
	noiseEmissions,
];
