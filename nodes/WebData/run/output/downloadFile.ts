import type { IExecuteFunctions } from 'n8n-workflow';

import { ServiceFailure } from '../../../service/http/failure';
import { failureFromNetworkError } from '../../../service/http/networkFailure';
import { readBytes, REQUEST_TIMEOUT_MS } from '../../../service/http/transport';
import { readResponse } from '../connection/response';

/** Fetches a link of the service's own file store, without the credential, which is not for that host. */
export async function downloadFile(ctx: IExecuteFunctions, url: string): Promise<Buffer> {
	const { origin } = new URL(url);
	const response: unknown = await ctx.helpers
		.httpRequest({
			url,
			method: 'GET',
			encoding: 'stream',
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			timeout: REQUEST_TIMEOUT_MS,
		})
		.catch((error: unknown) => {
			throw failureFromNetworkError(error, origin);
		});
	const file = readResponse(response);
	const { statusCode, body } = file;
	if (statusCode === 200) return await readBytes(file, origin, REQUEST_TIMEOUT_MS);
	body.destroy();
	throw new ServiceFailure({
		kind: 'http',
		reached: 'maybe',
		message: `The file could not be fetched from ${origin}: HTTP ${statusCode}.`,
	});
}
