const { rm, writeFile } = require('node:fs/promises');
const { join } = require('node:path');
const { dest, parallel, src } = require('gulp');

/** What an earlier build left must not be shipped. */
async function clean() {
	await rm('dist', { recursive: true, force: true });
}

/** Icons go to dist/icons, where nodes and credentials refer to them. */
function icons() {
	return src('icons/*.svg', { encoding: false }).pipe(dest('dist/icons'));
}

/** Codex files (search words, category, links) go beside their compiled node. */
function codex() {
	return src('nodes/**/*.node.json').pipe(dest('dist/nodes'));
}

/**
 * The properties of each panel become JSON, with a file of one line that reads it. The list is a new one each time:
 * n8n adds fields of its own to it, at each load.
 */
async function properties() {
	for (const panel of [
		'WebData/properties',
		'WebDataLoader/properties',
		'WebDataTrigger/panel/properties',
		'WebDataPollTrigger/properties',
		'WebResearch/properties',
		'WebResearchTool/properties',
	]) {
		const file = join(__dirname, 'dist/nodes', panel);
		const { readProperties } = require(`${file}.js`);
		await writeFile(`${file}.json`, JSON.stringify(readProperties()));
		await writeFile(`${file}.js`, "exports.readProperties = () => [...require('./properties.json')];\n");
	}
}

/** The names beside figures, which would differ by the Node.js that reads them, become JSON that is read when it is needed. */
async function intlNames() {
	const file = join(__dirname, 'dist/nodes/text/intlNames');
	const { readIntlNames } = require(`${file}.js`);
	await writeFile(`${file}.json`, JSON.stringify(readIntlNames()));
	await writeFile(`${file}.js`, "exports.readIntlNames = () => require('./intlNames.json');\n");
}

exports.clean = clean;
exports.build = parallel(icons, codex, properties, intlNames);
