import type { VirtualTime } from '../../../unit/virtualTime.ts';
import type { Sandbox } from '../../../../sandbox/server.ts';
import type { BuiltPackage } from '../../../../engine/index.ts';

/** Where something lives for weeks. */
export interface World {
	time: VirtualTime;
	sandbox: Sandbox;
	builtPackage: BuiltPackage;
}

/** Something that is used again and again. */
export interface Life {
	/** Its use with this number, from 0. True when it gave what was asked for. */
	use(index: number): Promise<boolean>;
	/** What n8n would store with the workflow, in bytes; 0 where that is nothing. */
	storedBytes(): number;
	end(): Promise<void>;
}

export type Begin = (world: World) => Promise<Life>;
