/** Pages behind a form, for browser sessions to log in. They are in no sitemap, and nothing links to them. */

const ORDERS = [
	['1001', 'Cargo bike', '3'],
	['1002', 'Winter tyres', '8'],
	['1003', 'Child seat', '2'],
];

const page = (title: string, body: string): string =>
	`<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>${title}</title></head><body><main><h1>${title}</h1>${body}</main></body></html>`;

const FORM =
	'<form method="post" action="/members"><label>Name <input name="name" id="name"></label> <label>Password <input name="password" id="password" type="password"></label> <button type="submit">Log in</button></form>';

/** What `/members` shows: the form, or with a name and the password `sandbox` the orders as a table. */
export function membersPage(sent: URLSearchParams): string {
	if (!sent.has('password')) return page('Log in', FORM);
	if (!sent.get('name') || sent.get('password') !== 'sandbox') {
		return page('Log in', `<p id="wrong">Name or password is wrong.</p>${FORM}`);
	}
	const cells = (row: string[]): string => row.map((text) => `<td>${text}</td>`).join('');
	const rows = ORDERS.map((row) => `<tr>${cells(row)}</tr>`).join('');
	return page(
		'Your orders',
		`<table id="orders"><thead><tr><th>Order</th><th>Article</th><th>Pieces</th></tr></thead><tbody>${rows}</tbody></table>`,
	);
}
