import { caseLindmoor } from './pages/fleets/caseLindmoor.ts';
import { caseNordhaven } from './pages/fleets/caseNordhaven.ts';
import { costs } from './pages/fleets/costs.ts';
import { hubs } from './pages/fleets/hubs.ts';
import { overview } from './pages/fleets/overview.ts';
import { riders } from './pages/fleets/riders.ts';
import { rules } from './pages/fleets/rules.ts';
import { safety } from './pages/fleets/safety.ts';
import { batteries } from './pages/vehicles/batteries.ts';
import { loadLimits } from './pages/vehicles/loadLimits.ts';
import { maintenance } from './pages/vehicles/maintenance.ts';
import { noiseEmissions } from './pages/vehicles/noiseEmissions.ts';
import { vans } from './pages/vehicles/vans.ts';
import { winter } from './pages/vehicles/winter.ts';
import type { SitePage } from './pages/page.ts';

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
