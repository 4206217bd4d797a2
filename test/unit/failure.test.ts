import { refusedInput } from '../../nodes/service/http/failure';

it('refused input is known not to have been sent, and says so', () => {
	const { kind, reached, message } = refusedInput('"URL" must be an address.');
	expect({ kind, reached, message }).toStrictEqual({
		kind: 'badInput',
		reached: 'no',
		message: '"URL" must be an address. Nothing was sent.',
	});
});
