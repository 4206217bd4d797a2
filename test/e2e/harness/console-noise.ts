import type { ConsoleMessage } from './editor.ts';

/** What n8n's editor itself writes to the console, also without any community package. */
const ownNoise: Array<{ text: RegExp; source: RegExp }> = [
	// Before the login it asks who is logged in.
	{ text: /401 \(Unauthorized\)/, source: /\/rest\/login$/ },
	// 1.123: its store of n8n versions, when notifications about them are off.
	{ text: /reading 'enabled'/, source: /\/assets\/versions\.store/ },
	// 1.123: its AI assistant, without a licence.
	{ text: /403 \(Forbidden\)/, source: /\/rest\/ai\/sessions\/metadata$/ },
	{ text: /Plan lacks license/, source: /\/assets\/assistant\.store/ },
	// 1.123: what there is not yet for a new workflow, and for nodes of its own.
	{ text: /404 \(Not Found\)/, source: /\/executions\/last-successful$/ },
	{ text: /404 \(Not Found\)/, source: /\/schemas\/n8n-nodes-base\./ },
	// 1.123: the window of a credential, without a licence for secrets kept elsewhere.
	{ text: /404 \(Not Found\)/, source: /\/rest\/external-secrets\/secrets$/ },
	// It asks the public registry about every community package; here it is not reached, or knows none.
	{ text: /ERR_|404|Failed to load resource/, source: /^https:\/\/registry\.npmjs\.org\// },
	{ text: /registry\.npmjs\.org/, source: /./ },
];

/** The errors that n8n does not cause itself. Warnings are left out. */
export function unexpectedMessages(messages: readonly ConsoleMessage[]): ConsoleMessage[] {
	return messages.filter(
		({ kind, text, source }) =>
			kind !== 'warning' && !ownNoise.some((known) => known.text.test(text) && known.source.test(source)),
	);
}
