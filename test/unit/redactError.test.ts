import { redactError } from '../../nodes/WebData/run/ending/redactError';
import { Secrets } from '../../nodes/service/secrets/secrets';

it('reads each text of an error once, and its stack with it', () => {
	const secrets = new Secrets('fc-0123456789abcdef');
	const read = vi.spyOn(secrets, 'inMessage');
	const error = redactError(new Error('refused fc-0123456789abcdef'), secrets);
	expect(error.message).not.toContain('0123456789');
	expect(error.stack).not.toContain('0123456789');
	// The message and the stack.
	expect(read).toHaveBeenCalledTimes(2);
});
