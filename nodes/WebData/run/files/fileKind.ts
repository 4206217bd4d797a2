import type { IBinaryData } from 'n8n-workflow';

/** What a file is sent as. */
export interface FileKind {
	/** Without a dot, in lower case. */
	extension: string;
	mimeType: string;
}

/**
 * What a file is: by its name, else by the type that n8n has of it. `types` are the media types by
 * extension. Undefined for a kind that is not among them. The name comes first, because mail programs and
 * browsers give many types to one kind of file, and none at all to others.
 */
export function kindOfFile(
	{
		fileName = '',
		fileExtension = '',
		mimeType,
	}: Pick<IBinaryData, 'fileName' | 'fileExtension' | 'mimeType'>,
	types: Readonly<Record<string, string>>,
): FileKind | undefined {
	const known = (extension: string): FileKind | undefined => {
		const type = Object.hasOwn(types, extension) ? types[extension] : undefined;
		return type === undefined ? undefined : { extension, mimeType: type };
	};
	const named = known(/\.([^.]+)$/.exec(fileName)?.[1]?.trim().toLowerCase() ?? '');
	if (named) return named;
	const plain = mimeType.split(';', 1)[0]?.trim().toLowerCase();
	const [byType] = Object.entries(types).find(([, type]) => type === plain) ?? [];
	return known(byType ?? fileExtension.replace('.', '').toLowerCase());
}
