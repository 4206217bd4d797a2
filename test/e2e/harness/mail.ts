import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

/** A mail server that takes every mail and delivers none. */
export interface MailServer {
	port: number;
	/** The mails so far, as they came, without the breaks of quoted-printable text. */
	mails: string[];
	stop(): Promise<void>;
}

/** Quoted-printable text as it is read. */
function readable(mail: string): string {
	return mail
		.replace(/=\r?\n/g, '')
		.replace(/=([\dA-F]{2})/g, (_whole, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/** Starts it on the loopback address. It speaks as much SMTP as a client needs to hand a mail over. */
export async function startMailServer(): Promise<MailServer> {
	const mails: string[] = [];
	const sockets = new Set<Socket>();
	const server = createServer((socket) => {
		sockets.add(socket);
		let received = '';
		let isMail = false;
		const say = (line: string) => void socket.write(`${line}\r\n`);
		say('220 ready');
		socket.on('data', (chunk) => {
			received += chunk.toString('utf8');
			for (;;) {
				const end = isMail ? received.indexOf('\r\n.\r\n') : received.indexOf('\r\n');
				if (end < 0) return;
				const part = received.slice(0, end);
				received = received.slice(end + (isMail ? 5 : 2));
				if (isMail) mails.push(readable(part));
				const isData = !isMail && /^DATA/i.test(part);
				isMail = isData;
				if (/^QUIT/i.test(part)) socket.end('221 bye\r\n');
				else say(isData ? '354 go on' : '250 ok');
			}
		});
		socket.on('error', () => socket.destroy());
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return {
		port: (server.address() as AddressInfo).port,
		mails,
		stop: async () => {
			for (const socket of sockets) socket.destroy();
			await new Promise<void>((resolve) => server.close(() => resolve()));
		},
	};
}
