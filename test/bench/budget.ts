/**
 * The most that the node may weigh, with all 60 operations of the service. Raise it on purpose only.
 * test/package/budget.test.ts enforces it.
 */
export const BUDGET = {
	/** What the editor loads for the node. Measured: 172,000 for 60 operations. */
	descriptionBytes: 190_000,
	/** What npm downloads. Measured: 296,080, with parked executions and parts of jobs. */
	packedBytes: 300_000,
};
