import { FILE_TYPES } from '../../nodes/WebData/resources/parse';
import { kindOfFile } from '../../nodes/run/files/uploads';
import { EXTENSIONS } from '../../sandbox/parse/filePage.ts';

const kind = (fileName: string | undefined, mimeType: string, fileExtension?: string) =>
	kindOfFile(
		{
			mimeType,
			...(fileName !== undefined && { fileName }),
			...(fileExtension !== undefined && { fileExtension }),
		},
		FILE_TYPES,
	);

it('knows every kind that the service takes (recording parse-24)', () => {
	expect(Object.keys(FILE_TYPES).sort()).toEqual([...EXTENSIONS].sort());
});

it.each([
	['report.pdf', 'application/octet-stream', 'pdf'],
	['REPORT.PDF', 'text/plain', 'pdf'],
	['sheet.csv', 'application/vnd.ms-excel', 'csv'],
	['page.htm', 'text/html; charset=utf-8', 'htm'],
	['invoice', 'application/pdf', 'pdf'],
	['invoice', 'application/pdf; name="x"', 'pdf'],
	['blob.xyz', 'text/html', 'html'],
	[undefined, 'text/csv', 'csv'],
])('%j of type %s is sent as %s', (name, type, extension) => {
	expect(kind(name, type)).toEqual({ extension, mimeType: FILE_TYPES[extension] });
});

it('goes by the extension that n8n has where nothing else tells', () => {
	expect(kind('blob', 'application/octet-stream', 'docx')?.extension).toBe('docx');
});

it.each([
	['plain.txt', 'text/plain'],
	['note.md', 'text/markdown'],
	['data.json', 'application/json'],
	['pic.png', 'image/png'],
	['blob', 'application/octet-stream'],
	['constructor', 'application/octet-stream'],
	['a.constructor', 'a/b'],
])('%s of type %s is none that the service takes', (name, type) => {
	expect(kind(name, type)).toBeUndefined();
});
