import { join } from 'node:path';

import type { INodeType } from 'n8n-workflow';

import { readProperties } from '../../nodes/WebData/properties';

it('ships the panel that the sources describe: nothing in it is lost as JSON', async () => {
	const file = join(__dirname, '../../dist/nodes/WebData/WebData.node.js');
	const { WebData } = (await import(file)) as { WebData: new () => INodeType };
	expect(new WebData().description.properties).toStrictEqual(readProperties());
});
