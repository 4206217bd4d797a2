import { KnownIds } from '../../nodes/service/limits/knownIds';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

it('forgets whose a job is when the service lists it no longer', () => {
	const register = new KnownIds();
	for (let minute = 0; minute < 3 * 24 * 60; minute++) register.own(`job-${minute}`, minute * MINUTE_MS);
	const newest = 3 * 24 * 60 - 1;
	expect(register.isOwned(`job-${newest - 24 * 60}`)).toBe(true);
	expect(register.isOwned(`job-${newest - 49 * 60}`)).toBe(false);
});

it('keeps an id that is known again', () => {
	const register = new KnownIds();
	register.own('old', 0);
	register.own('other', DAY_MS);
	register.own('old', 2 * DAY_MS - 1);
	register.own('new', 3 * DAY_MS);
	expect(['old', 'other', 'new'].map((id) => register.isOwned(id))).toEqual([true, false, true]);
});
