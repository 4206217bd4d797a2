import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';

/**
 * The test of the credential, as each node that uses it has it in its methods. Loaded on first use: n8n
 * loads every node at each of its starts, and tests few credentials.
 */
export const credentialTest = {
	async webDataApiTest(
		this: ICredentialTestFunctions,
		credential: ICredentialsDecrypted,
	): Promise<INodeCredentialTestResult> {
		const { webDataApiTest } = await import('./credentialTest');
		return await webDataApiTest.call(this, credential);
	},
};
