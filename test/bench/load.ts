import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { row } from './row.ts';
import type { Measure } from './row.ts';
import { median } from './statistics.ts';
import { ROOT } from './workflow.ts';

const ROUNDS = 21;

/** As little as a node can be, in one file. */
const EMPTY_NODE = `"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.Empty = void 0;
const n8n_workflow_1 = require(${JSON.stringify(join(ROOT, 'node_modules/n8n-workflow'))});
class Empty {
	constructor() {
		this.description = {
			displayName: 'Empty', name: 'empty', group: ['transform'], version: 1, description: 'Empty',
			defaults: { name: 'Empty' }, properties: [],
			inputs: [n8n_workflow_1.NodeConnectionTypes.Main],
			outputs: [n8n_workflow_1.NodeConnectionTypes.Main],
		};
	}
	async execute() {
		return [this.getInputData()];
	}
}
exports.Empty = Empty;
`;

/** What n8n does with a node's file, timed: requires it and makes one node of it. */
const TIMED_LOAD = `
require('n8n-workflow');
const [file, name] = process.argv.slice(1);
const before = performance.now();
const { [name]: Node } = require(file);
const required = performance.now();
const { description } = new Node();
const made = performance.now();
if (!description.name) throw new Error('No node');
process.stdout.write(JSON.stringify({ requireMs: required - before, makeMs: made - required }));
`;

interface Load {
	requireMs: number;
	makeMs: number;
}

/**
 * Milliseconds to load the built node and an empty one, each in fresh processes, turn and turn about.
 * n8n-workflow is there already, as in n8n. The fastest counts: other work on the machine only adds.
 */
export const measure: Measure = async (say) => {
	const folder = mkdtempSync(join(tmpdir(), 'bench-load-'));
	try {
		const emptyFile = join(folder, 'Empty.node.js');
		writeFileSync(emptyFile, EMPTY_NODE);
		const oursFile = join(ROOT, 'dist/nodes/WebData/WebData.node.js');
		const ours: Load[] = [];
		const empty: Load[] = [];
		for (let round = 0; round < ROUNDS; round++) {
			empty.push(loadOf(emptyFile, 'Empty'));
			ours.push(loadOf(oursFile, 'WebData'));
		}
		say(`in the middle: ${median(ours.map(({ requireMs }) => requireMs)).toFixed(1)} ms`);
		const fastest = (loads: Load[], part: keyof Load) => Math.min(...loads.map((one) => one[part]));
		const both = (loads: Load[]) => fastest(loads, 'requireMs') + fastest(loads, 'makeMs');
		const unit = 'ms';
		return [
			row({
				name: 'load, require of the node',
				value: fastest(ours, 'requireMs'),
				unit,
				reference: fastest(empty, 'requireMs'),
				// What a user could notice at the start of n8n; an empty node is beside it for comparison.
				target: { of: 'value', most: 5 },
			}),
			row({
				name: 'load, require of the node and making its description',
				value: both(ours),
				unit,
				reference: both(empty),
				target: { of: 'value', most: 10 },
			}),
		];
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
};

function loadOf(file: string, name: string): Load {
	const text = execFileSync(process.execPath, ['-e', TIMED_LOAD, file, name], {
		cwd: ROOT,
		encoding: 'utf8',
		timeout: 30_000,
	});
	return JSON.parse(text) as Load;
}
