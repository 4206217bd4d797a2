import { isSecret, isSigned, SIGNATURE_HEADER } from './signature';

/** The header with the secret that this package gives to monitors and starts, where nothing is signed. */
export const SECRET_HEADER = 'x-web-data-secret';

/** A call as it came. */
export interface ReceivedCall {
	rawBody: Buffer;
	/** Names in small letters. */
	headers: Record<string, unknown>;
}

/** What a call must prove itself with; empty or left out where there is none. */
export interface CallSecrets {
	/** The account's webhook secret, which signs the body. With it, nothing else counts. */
	webhookSecret?: string | undefined;
	/** The value of SECRET_HEADER. */
	headerSecret?: string | undefined;
}

/**
 * Why a call is not to be believed, in a sentence for the service's log; undefined for one that is. Without
 * any secret all are, since only the service was told the address. Never throws.
 */
export function signatureProblem(
	{ rawBody, headers }: ReceivedCall,
	{ webhookSecret = '', headerSecret = '' }: CallSecrets,
): string | undefined {
	if (webhookSecret !== '') {
		const given = headers[SIGNATURE_HEADER];
		if (given === undefined) {
			return 'The call is not signed, but the credential has a webhook secret: give the same secret to the service, or empty that field.';
		}
		return isSigned(webhookSecret, rawBody, given)
			? undefined
			: 'The signature does not fit: the webhook secret in the credential is not the one of the service, or the call is forged.';
	}
	if (headerSecret === '' || isSecret(headers[SECRET_HEADER], headerSecret)) return undefined;
	return `The header ${SECRET_HEADER} is missing or wrong.`;
}
