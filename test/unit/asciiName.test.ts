import fc from 'fast-check';

import { asciiName } from '../../nodes/service/form';

describe('the name of a file on its way', () => {
	it.each([
		['møte notat.html', 'html', 'mote notat.html'],
		['Übersicht März.PDF', 'pdf', 'Ubersicht Marz.pdf'],
		['C:\\Users\\me\\a.docx', 'docx', 'a.docx'],
		['../../etc/passwd.csv', 'csv', 'passwd.csv'],
		['報告書.pdf', 'pdf', 'file.pdf'],
		['a"; filename="b\r\nX: y.pdf', 'pdf', 'a_ filename_b_X_ y.pdf'],
		['Straße (2).xlsx', 'xlsx', 'Strasse (2).xlsx'],
		['invoice', 'pdf', 'invoice.pdf'],
		['notes.txt', 'html', 'notes.txt.html'],
		['.pdf', 'pdf', 'file.pdf'],
		['', 'pdf', 'file.pdf'],
		[`${'a'.repeat(300)}.pdf`, 'pdf', `${'a'.repeat(100)}.pdf`],
		[' .. a.b .. .pdf', 'pdf', 'a.b.pdf'],
		['a\u0304\u0323.pdf', 'pdf', 'a.pdf'],
		['æÆðÐđĐ.pdf', 'pdf', 'aeAEd_dD.pdf'],
		['ıłŁøØœŒßþ.pdf', 'pdf', 'ilLoOoeOEssth.pdf'],
	])('%j (%s) is %j', (name, extension, expected) => {
		expect(asciiName(name, extension)).toBe(expected);
	});

	it('is plain, short and has its extension, whatever the file is called', () => {
		fc.assert(
			fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (name) => {
				const plain = asciiName(name, 'pdf');
				expect(plain).toMatch(/^[A-Za-z0-9_(-][A-Za-z0-9 ._()-]*\.pdf$/);
				expect(plain.length).toBeLessThanOrEqual(104);
				expect(asciiName(plain, 'pdf')).toBe(plain);
			}),
		);
	});
});
