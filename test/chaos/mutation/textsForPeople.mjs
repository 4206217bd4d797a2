import { declareValuePlugin, PluginKind } from '@stryker-mutator/api/plugin';

const WORDS = 'a text for people: the engine tests check those';

/** A string of several words, or one with values in it: a sentence that is shown, not something compared. */
const isSentence = (node) =>
	node.type === 'TemplateLiteral'
		? node.quasis.some(({ value }) => value.raw.trim().includes(' '))
		: node.type === 'StringLiteral' && node.value.trim().includes(' ');

/** Leaves texts for people as they are; what stands in their `${}` is changed. */
export const strykerPlugins = [
	declareValuePlugin(PluginKind.Ignore, 'texts-for-people', {
		shouldIgnore: ({ node }) => (isSentence(node) ? WORDS : undefined),
	}),
];
