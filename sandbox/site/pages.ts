import { caseLindmoor, caseNordhaven, costs, hubs, overview, riders, rules, safety } from './fleetPages.ts';
import type { SitePage } from './fleetPages.ts';
import { batteries, loadLimits, maintenance, noiseEmissions, vans, winter } from './vehiclePages.ts';

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
