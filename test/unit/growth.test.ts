import { expectLinear } from '../helpers/growth';

describe('the helper that finds hangs', () => {
	it('is content with work that is linear, however much', async () => {
		await expectLinear(
			100_000,
			(size) =>
				'ab '
					.repeat(size)
					.split(' ')
					.map((word) => word.toUpperCase()).length,
		);
	});

	it('fails where a pattern begins anew at each character', async () => {
		const hangs = expectLinear(8000, (size) => /x+$/.test(`${'x'.repeat(size)}y`));
		await expect(hangs).rejects.toThrow('it grows faster than its input');
	});
});
