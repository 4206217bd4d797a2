import { join } from 'node:path';

import type { INodeType } from 'n8n-workflow';

import { loadBuiltPackage } from '../../tools/n8n-engine/index.ts';
import { readIntlNames } from '../../nodes/text/intlNames';
import { readProperties } from '../../nodes/WebData/properties';

it('ships the panel that the sources describe: nothing in it is lost as JSON', async () => {
	const file = join(__dirname, '../../dist/nodes/WebData/WebData.node.js');
	const { WebData } = (await import(file)) as { WebData: new () => INodeType };
	expect(new WebData().description.properties).toStrictEqual(readProperties());
});

it('shows each field once, however often n8n loads the package', async () => {
	const fieldsAt = async () => {
		const { descriptions } = await loadBuiltPackage(join(__dirname, '../..'));
		return descriptions.map(({ name, properties }) => [name, properties.map((field) => field.name)]);
	};
	// n8n loads all packages again whenever one is installed, updated or removed, and puts Poll Times first itself.
	const first = await fieldsAt();
	expect(JSON.stringify(first).split('"pollTimes"')).toHaveLength(2);
	expect(await fieldsAt()).toEqual(first);
	expect(await fieldsAt()).toEqual(first);
});

it('says in each yellow box one thing, in one line', async () => {
	const { descriptions } = await loadBuiltPackage(join(__dirname, '../..'));
	const notices = descriptions.flatMap(({ properties }) => properties).filter(({ type }) => type === 'notice');
	expect(notices.length).toBeGreaterThan(10);
	const shown = notices.map(({ displayName }) => displayName.replace(/<[^>]+>/g, ''));
	expect(shown.filter((text) => text.length > 60)).toEqual([]);
});

it('ships the names beside figures that Intl gives', async () => {
	const file = join(__dirname, '../../dist/nodes/text/intlNames.js');
	const shipped = (await import(file)) as { readIntlNames: typeof readIntlNames };
	expect(shipped.readIntlNames()).toEqual(readIntlNames());
	expect(JSON.stringify(shipped.readIntlNames()).length).toBeLessThan(60_000);
});
