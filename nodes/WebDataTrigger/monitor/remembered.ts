import type { FunctionsBase, IDataObject } from 'n8n-workflow';

/**
 * What a trigger remembers in its workflow's static data. Stored with workflows: do not rename. Everything
 * but `seen` can be had from the service again.
 */
export interface Remembered extends IDataObject {
	/** Which trigger this is: static data is copied with a workflow, the monitor is not. */
	owner?: string;
	monitorId?: string;
	/** True where a trigger made the monitor. */
	isOwn?: boolean;
	/** The secret in the header of its calls. */
	secret?: string;
	/** The check that later ones are compared with. */
	firstCheckId?: string;
	/** Keys of the latest events (SeenDeliveries). */
	seen?: string[];
}

type Triggering = Pick<
	FunctionsBase,
	'getWorkflowStaticData' | 'getInstanceId' | 'getWorkflow' | 'getNode'
>;

/** The static data itself, to be changed in place; what another trigger has left in it is gone. */
export function rememberedOf(ctx: Triggering): Remembered {
	const data: Remembered = ctx.getWorkflowStaticData('node');
	const owner = [ctx.getInstanceId(), ctx.getWorkflow().id, ctx.getNode().id].join('/');
	if (data.owner !== owner) {
		forgetMonitor(data);
		delete data.seen;
		data.owner = owner;
	}
	return data;
}

/** To be called when the trigger has no monitor any more. */
export function forgetMonitor(data: Remembered): void {
	delete data.monitorId;
	delete data.isOwn;
	delete data.secret;
	delete data.firstCheckId;
}
