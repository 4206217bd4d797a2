/**
 * The most that the node may weigh, with all 60 operations of the service. Raise it on purpose only.
 * test/package/budget.test.ts enforces it.
 */
export const BUDGET = {
	/** What the editor loads for the node. Measured: 163,743 for 59 operations. */
	descriptionBytes: 190_000,
	/** What npm downloads. Measured: 235,211 for the operations of the whole service and one trigger. */
	packedBytes: 270_000,
};
