import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	ILoadOptionsFunctions,
	INodeCredentialTestResult,
	INodeListSearchResult,
	ResourceMapperFields,
} from 'n8n-workflow';
import type { ListName } from '../fields/basic';

// n8n loads every node at each of its starts and uses few: what it calls of ours loads its code when it is called.
// One file for all of it, because at a start it is the number of files that costs.

/** The test of the credential, as each node that uses it has it in its methods. */
export const credentialTest = {
	async webDataApiTest(
		this: ICredentialTestFunctions,
		credential: ICredentialsDecrypted,
	): Promise<INodeCredentialTestResult> {
		const { webDataApiTest } = await import('./credentialTest');
		return await webDataApiTest.call(this, credential);
	},
};

type ListSearch = (
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
) => Promise<INodeListSearchResult>;

function searchOf(list: ListName): ListSearch {
	return async function (filter, paginationToken) {
		const { searchList } = await import('./listSearch');
		return await searchList(this, list, filter, paginationToken);
	};
}

/** The inputs of the chosen data tool as fields, as a method of the node. */
export const resourceMapping = {
	async dataToolInputs(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
		const { mappedFields } = await import('./listSearch');
		return await mappedFields(this, 'dataTool', 'run');
	},
};

/** The lists that an ID can be chosen from, as methods of the node. */
export const listSearch: Record<ListName, ListSearch> = {
	agentGetMany: searchOf('agentGetMany'),
	browserGetMany: searchOf('browserGetMany'),
	crawlGetActive: searchOf('crawlGetActive'),
	dataToolProviders: searchOf('dataToolProviders'),
	dataToolTools: searchOf('dataToolTools'),
	monitorGetChecks: searchOf('monitorGetChecks'),
	monitorGetMany: searchOf('monitorGetMany'),
};
