import { spawnSync } from 'node:child_process';
import { renameSync } from 'node:fs';

/** @throws when there is no ffmpeg, or it fails. */
export function ffmpeg(args: string[]): void {
	const { error, status, stderr } = spawnSync('ffmpeg', ['-y', '-loglevel', 'error', ...args], {
		encoding: 'utf8',
	});
	if (error) throw new Error(`ffmpeg is not there (on Debian: apt-get install ffmpeg): ${error.message}`);
	if (status !== 0) throw new Error(`ffmpeg failed: ${stderr}`);
}

/** Text on plain colours needs no more than 256: with these the PNG is half as large and looks the same. */
const FEW_COLORS = 'split[a][b];[a]palettegen=max_colors=256[p];[b][p]paletteuse=dither=none';

/** Writes the picture again with a palette. */
export function reduceColors(png: string): void {
	const small = png.replace(/\.png$/, '.small.png');
	ffmpeg(['-i', png, '-vf', FEW_COLORS, small]);
	renameSync(small, png);
}
