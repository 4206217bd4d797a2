import { inTwoParts } from '../../nodes/WebData/run/output/errorParts.ts';

const below = (message: string) => inTwoParts({ kind: 'http' }, message).description;

it('begins the description with a capital where it begins with a word', () => {
	expect(below('The service failed: no page was found.')).toBe('No page was found.');
	expect(below('The service failed: timeout')).toBe('Timeout');
	expect(below('The service failed: die Seite fehlt')).toBe('Die Seite fehlt');
});

it.each([
	'support_agent_unavailable.',
	'formats.0.question: must not be empty.',
	'limit: must be at least 1.',
	'scrapeOptions is not allowed.',
	'https://example.com/a cannot be read.',
	'example.com is blocked.',
])('shows a code, a name or an address as the service writes it: %s', (said) => {
	expect(below(`The service failed: ${said}`)).toBe(said);
});
