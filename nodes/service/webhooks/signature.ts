import { createHmac, timingSafeEqual } from 'node:crypto';

/** The header that carries the signature, in small letters as Node has it (docs/service-notes.md#webhook-signature). */
export const SIGNATURE_HEADER = 'x-firecrawl-signature';

/** What the service puts into that header: HMAC-SHA256 over the bytes of the body, in hexadecimal. */
export function signatureOf(secret: string, rawBody: Buffer): string {
	return `sha256=${createHmac('sha256', secret).update(rawBody).digest('hex')}`;
}

/**
 * Whether the value of a header is this text. Takes as long for a value that is wrong in its first letter
 * as for one that is wrong in its last. Anything that is no text is not it; never throws.
 */
export function isSecret(given: unknown, expected: string): boolean {
	if (typeof given !== 'string' || expected === '') return false;
	const [left, right] = [Buffer.from(given), Buffer.from(expected)];
	return left.length === right.length && timingSafeEqual(left, right);
}

/**
 * Whether the header is the signature of these bytes. It must be checked on the bytes as they came: JSON
 * that is written again differs. Never throws.
 */
export function isSigned(secret: string, rawBody: Buffer, header: unknown): boolean {
	return secret !== '' && isSecret(header, signatureOf(secret, rawBody));
}
