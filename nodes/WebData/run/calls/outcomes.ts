import type { INodeExecutionData } from 'n8n-workflow';

import type { ServiceClient } from '../../../service/limits/client';
import type { ItemDraft } from '../../operation/operation';
import type { RunContext } from '../connection/runContext';
import { errorItem } from '../output/itemError';
import type { ItemFailure } from '../output/itemError';
import { LinkedFiles, itemsInOrder } from '../output/outputItem';

/** Where an outcome belongs: an item, and which one of its requests, from 0. */
export interface Place {
	item: number;
	part: number;
}

type Outcome = Place & ({ drafts: ItemDraft[] } | { failure: ItemFailure });

/** What each request of a run came to; an item may have several. */
export class Outcomes {
	private readonly all: Outcome[] = [];

	/** How many have no result. */
	failed = 0;

	/** How many have one. */
	answered = 0;

	succeed({ item, part }: Place, drafts: ItemDraft[]): void {
		this.all.push({ item, part, drafts });
		this.answered += 1;
	}

	fail({ item, part }: Place, failure: Omit<ItemFailure, 'item'>): void {
		this.all.push({ item, part, failure: { item, ...failure } });
		this.failed += 1;
	}

	/** The first in the order of the input. */
	get firstFailure(): ItemFailure | undefined {
		const [first] = this.all.filter((outcome) => 'failure' in outcome).sort(inOrder);
		return first?.failure;
	}

	/**
	 * The items of all, in the order of the input, failures among them as such. Throws a ServiceFailure of
	 * kind aborted when the execution is stopped meanwhile.
	 */
	async toOutput(ctx: RunContext, client: ServiceClient): Promise<INodeExecutionData[]> {
		const sorted = this.all.sort(inOrder);
		const drafts = sorted.flatMap((outcome) => {
			const { item } = outcome;
			return 'drafts' in outcome ? outcome.drafts.map((draft) => ({ draft, item })) : [];
		});
		const files = new LinkedFiles(ctx, client);
		const made = await itemsInOrder({ ctx, client, files }, drafts);
		let next = 0;
		return sorted.flatMap((outcome) => {
			if ('failure' in outcome) return [errorItem(ctx, outcome.failure)];
			const begin = next;
			next += outcome.drafts.length;
			return made.slice(begin, next);
		});
	}
}

function inOrder(left: Place, right: Place): number {
	return left.item - right.item || left.part - right.part;
}
