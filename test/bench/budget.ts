/**
 * The most that the node may weigh, with all 60 operations of the service. Raise it on purpose only.
 * test/package/budget.test.ts enforces it.
 */
export const BUDGET = {
	/** What the editor loads for the node. Measured: 179,800 for 60 operations. */
	descriptionBytes: 182_000,
	/** What npm downloads. Measured: 357,918, with Web Research and Web Data Loader. */
	packedBytes: 400_000,
};
