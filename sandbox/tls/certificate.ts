import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A key and a certificate for this machine's own address, both PEM. */
export interface Certificate {
	key: string;
	cert: string;
}

/**
 * Makes a certificate that signs itself, good for a day, with openssl. Throws an Error in one sentence
 * where openssl is not installed.
 */
export function selfSigned(): Certificate {
	const folder = mkdtempSync(join(tmpdir(), 'sandbox-tls-'));
	const keyFile = join(folder, 'key.pem');
	const certFile = join(folder, 'cert.pem');
	try {
		execFileSync(
			'openssl',
			[
				...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'],
				...['-days', '1', '-subj', '/CN=127.0.0.1', '-keyout', keyFile, '-out', certFile],
				...['-addext', 'subjectAltName=IP:127.0.0.1,DNS:localhost'],
			],
			{ stdio: 'ignore' },
		);
		return { key: readFileSync(keyFile, 'utf8'), cert: readFileSync(certFile, 'utf8') };
	} catch {
		throw new Error('A sandbox with https needs openssl on this machine.');
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}
