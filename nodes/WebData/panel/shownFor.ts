/** An operation of a resource, by the values of the two parameters. */
export interface OperationName {
	resource: string;
	operation: string;
}

/** Values of both parameters; shown is every pair of them that there is. */
export interface ShownFor {
	resource: string[];
	operation: string[];
}

/**
 * Says "shown for these operations" the way n8n can: by values of resource AND values of operation. One
 * answer where no other operation of `all` has such a pair of values; else those of the operation that
 * is in the way are an answer of their own.
 */
export function shownFor(wanted: OperationName[], all: OperationName[]): ShownFor[] {
	const values = valuesOf(wanted);
	const stranger = all.find((one) => isIn(one, values) && !wanted.includes(one));
	if (!stranger) return wanted.length === 0 ? [] : [values];
	const isNamesake = ({ operation }: OperationName) => operation === stranger.operation;
	const others = wanted.filter((one) => !isNamesake(one));
	return [...shownFor(others, all), valuesOf(wanted.filter(isNamesake))];
}

/** The least conditions that tell these operations from the others of `all`. Empty when there are none. */
export function leastConditions(wanted: ShownFor, all: OperationName[]): Partial<ShownFor> {
	const count = ({ resource, operation }: ShownFor) =>
		all.filter((one) => isIn(one, { resource, operation })).length;
	const most = count(wanted);
	const everything = valuesOf(all);
	if (most === all.length) return {};
	if (count({ ...everything, resource: wanted.resource }) === most) {
		return { resource: wanted.resource };
	}
	if (count({ ...everything, operation: wanted.operation }) === most) {
		return { operation: wanted.operation };
	}
	return wanted;
}

function valuesOf(names: OperationName[]): ShownFor {
	return {
		resource: [...new Set(names.map(({ resource }) => resource))],
		operation: [...new Set(names.map(({ operation }) => operation))],
	};
}

/** Whether the values name this operation. */
export function isIn(one: OperationName, { resource, operation }: ShownFor): boolean {
	return resource.includes(one.resource) && operation.includes(one.operation);
}
