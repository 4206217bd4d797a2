import type {
	ICredentialDataDecryptedObject,
	ICredentials,
	ICredentialType,
	IHttpRequestOptions,
	INode,
	INodeProperties,
	IRequestOptionsSimplified,
	INodeCredentialsDetails,
	IWorkflowExecuteAdditionalData,
	Workflow,
} from 'n8n-workflow';
import { ICredentialsHelper, NodeHelpers } from './n8n.ts';
import type { BuiltPackage } from './loadedPackage.ts';

/** What the user typed into the credential, for every reference of the given type. */
export interface CredentialInUse {
	/** Credential type, for example `webDataApi`. */
	type: string;
	data: ICredentialDataDecryptedObject;
}

/**
 * Stands where n8n's CredentialsHelper stands (packages/cli/src/credentials-helper.ts, n8n 2.40), and
 * does the same with the credential type's own code: fills in the defaults of its properties and
 * applies its `authenticate`, be it a function or the generic form. In place of the database it knows
 * one credential or none, so the id in the workflow does not matter.
 */
export class SingleCredential extends ICredentialsHelper {
	// Plain fields: parameter properties are no erasable syntax, Node cannot strip them.
	private readonly types: ReadonlyMap<string, ICredentialType>;
	private readonly credential: CredentialInUse | undefined;

	constructor(builtPackage: BuiltPackage, credential: CredentialInUse | undefined) {
		super();
		this.types = builtPackage.credentialTypes;
		this.credential = credential;
	}

	getParentTypes(): string[] {
		return [];
	}

	isCredentialUsableByNode(): boolean {
		return true;
	}

	getCredentialsProperties(typeName: string): INodeProperties[] {
		return this.typeNamed(typeName).properties;
	}

	override async getDecrypted(
		_additionalData: IWorkflowExecuteAdditionalData,
		_nodeCredentials: INodeCredentialsDetails,
		typeName: string,
	): Promise<ICredentialDataDecryptedObject> {
		const { credential } = this;
		if (typeName !== credential?.type) {
			throw new Error(
				`The engine holds ${credential ? `a credential of type ${credential.type} only` : 'no credential'}.`,
			);
		}
		const { properties } = this.typeNamed(typeName);
		const stored = credential.data as Parameters<typeof NodeHelpers.getNodeParameters>[1];
		const filled = NodeHelpers.getNodeParameters(properties, stored, true, false, null, null);
		return { ...credential.data, ...(filled as ICredentialDataDecryptedObject | null) };
	}

	override async authenticate(
		credentials: ICredentialDataDecryptedObject,
		typeName: string,
		requestOptions: IHttpRequestOptions | IRequestOptionsSimplified,
		workflow?: Workflow,
		node?: INode,
	): Promise<IHttpRequestOptions> {
		const request = requestOptions as IHttpRequestOptions;
		const { authenticate } = this.typeNamed(typeName);
		if (authenticate === undefined) return request;
		if (typeof authenticate === 'function') return await authenticate(credentials, request);
		if (workflow === undefined || node === undefined) {
			throw new Error('Generic authentication needs the workflow and the node.');
		}

		const resolved = (text: string): string => {
			if (!text.startsWith('=')) return text;
			const value = workflow.expression.getSimpleParameterValue(node, text, 'internal', {
				$credentials: credentials,
			});
			return value === undefined || value === null ? '' : String(value);
		};
		// Parts are headers, qs, body, auth. n8n writes each key into the request, also an empty one.
		const parts: Record<string, unknown> = { headers: request.headers ?? {} };
		for (const [part, values] of Object.entries(authenticate.properties)) {
			const before = (parts[part] ?? Reflect.get(request, part) ?? {}) as Record<string, unknown>;
			const added = Object.entries(values as Record<string, unknown>);
			parts[part] = {
				...before,
				...Object.fromEntries(added.map(([key, value]) => [resolved(key), resolved(String(value))])),
			};
		}
		return Object.assign(request, parts);
	}

	// n8n calls the hook only for types with an expirable property; an API key has none.
	override async preAuthentication(): Promise<undefined> {
		return undefined;
	}

	override async runPreAuthentication(): Promise<undefined> {
		return undefined;
	}

	override async getCredentials(): Promise<ICredentials> {
		throw new Error('The engine keeps no stored credentials.');
	}

	override async updateCredentials(): Promise<void> {
		throw new Error('The engine keeps no stored credentials.');
	}

	override async updateCredentialsOauthTokenData(): Promise<void> {
		throw new Error('The engine keeps no stored credentials.');
	}

	private typeNamed(typeName: string): ICredentialType {
		const type = this.types.get(typeName);
		if (type === undefined) throw new Error(`The package has no credential type ${typeName}.`);
		return type;
	}
}
