/** Examples that are enough where the tests run once for each of thousands of small changes. */
const FEW = 60;

/** With how many examples a property is tried: with few in `npm run mutation`. */
export function runs(usual: number): number {
	return process.env.FEW_RUNS === undefined ? usual : Math.min(usual, FEW);
}
