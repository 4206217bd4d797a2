/** The rise from one value to the next of the straight line through all of them, by least squares. */
export function slopeOf(values: readonly number[]): number {
	const middle = (values.length - 1) / 2;
	const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
	const [rise, run] = values.reduce(
		([up, along], value, index) => [
			up + (index - middle) * (value - mean),
			along + (index - middle) ** 2,
		],
		[0, 0],
	);
	return rise / run;
}
