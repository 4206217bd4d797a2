/** An answer before it is written to the wire. A string body is sent as it is, anything else as JSON. */
export interface Answer {
	status: number;
	headers?: Record<string, string>;
	body: unknown;
	/** Default: JSON. */
	contentType?: string;
}

export const JSON_TYPE = 'application/json; charset=utf-8';
export const HTML_TYPE = 'text/html; charset=utf-8';

/** A JSON answer. */
export function jsonAnswer(
	status: number,
	body: unknown,
	headers?: Record<string, string>,
): Answer {
	return headers ? { status, body, headers } : { status, body };
}

/** The body as it goes over the wire. */
export function bodyText(answer: Answer): string {
	return typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body);
}

function escapeHtml(text: string): string {
	return text
		.replaceAll('&', '&amp;')
		.replaceAll('<', '&lt;')
		.replaceAll('>', '&gt;')
		.replaceAll('"', '&quot;');
}

/** The page a missing route gives: HTML, not the JSON envelope (recordings dr-42 to dr-44, other-06). */
export function routeNotFound(method: string, url: string): Answer {
	const path = url.split('?', 1)[0] ?? url;
	const body = `<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>Error</title>\n</head>\n<body>\n<pre>Cannot ${method} ${escapeHtml(path)}</pre>\n</body>\n</html>`;
	return { status: 404, contentType: HTML_TYPE, body };
}
