/** The stand-in of n8n's Data Table node answers as the real one does: the file is what both have said. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { DataTables, runWorkflow } from '../../tools/n8n-engine/index.ts';
import { tableNodes } from '../../tools/n8n-engine/dataTables.ts';
import { expectGoldenFile } from '../helpers/goldenFile';
import { transcriptOf } from '../e2e/harness/tableCalls';
import { builtPackage, errorText } from './run';

it('The stand-in of the Data Table node answers as n8n’s', async () => {
	const tables = new DataTables();
	const transcript = await transcriptOf(async (parameters, item) => {
		const execution = await runWorkflow({
			package: await builtPackage(),
			workflow: {
				name: 'Table',
				nodes: [
					{
						id: 's',
						name: 'Start',
						type: 'n8n-nodes-base.manualTrigger',
						typeVersion: 1,
						position: [0, 0],
						parameters: {},
					},
					{
						id: 't',
						name: 'Table',
						type: 'n8n-nodes-base.dataTable',
						typeVersion: 1.1,
						position: [200, 0],
						parameters: parameters as INodeParameters,
						alwaysOutputData: true,
					},
				],
				connections: { Start: { main: [[{ node: 'Table', type: 'main', index: 0 }]] } },
			},
			otherNodeTypes: tableNodes(tables),
			pinData: { Start: [{ json: item as IDataObject }] },
		});
		if (execution.error) return { error: errorText(execution) };
		return { items: execution.items('Table').map(({ json }) => json) };
	});
	expectGoldenFile('test/golden/tableCalls.txt', `${transcript.join('\n')}\n`);
});
