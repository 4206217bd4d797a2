import { canonicalTarget } from '../../nodes/service/jobs/jobListings';

it.each([
	['https://a.example', 'https://a.example/'],
	['HTTP://A.Example:80/x#y', 'http://a.example/x#y'],
	[' https://a.example/ä \n', 'https://a.example/%C3%A4'],
])('writes an address in full, with what the lists keep of it: %j', (target, written) => {
	expect(canonicalTarget(target)).toBe(written);
});

it.each([
	'What are tides?',
	'see https://a.example',
	'about:https://A.example/ä',
	'ftp://A.example',
	'https://',
	'tides',
])('leaves any other text as it is: %j', (target) => {
	expect(canonicalTarget(`  ${target} `)).toBe(target);
});
