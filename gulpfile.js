const { rm } = require('node:fs/promises');
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

exports.clean = clean;
exports.build = parallel(icons, codex);
