const OFFICE = 'application/vnd.openxmlformats-officedocument.';
const OPEN = 'application/vnd.oasis.opendocument.';

/**
 * The kinds of files that the service reads (recording parse-24), with the media type that each is sent
 * with: the type decides before the name does (recording parse-28).
 */
export const FILE_TYPES: Readonly<Record<string, string>> = {
	html: 'text/html',
	htm: 'text/html',
	xhtml: 'application/xhtml+xml',
	pdf: 'application/pdf',
	docx: `${OFFICE}wordprocessingml.document`,
	doc: 'application/msword',
	docm: 'application/vnd.ms-word.document.macroenabled.12',
	odt: `${OPEN}text`,
	ods: `${OPEN}spreadsheet`,
	odp: `${OPEN}presentation`,
	rtf: 'application/rtf',
	xlsx: `${OFFICE}spreadsheetml.sheet`,
	xls: 'application/vnd.ms-excel',
	xlsm: 'application/vnd.ms-excel.sheet.macroenabled.12',
	xlsb: 'application/vnd.ms-excel.sheet.binary.macroenabled.12',
	pptx: `${OFFICE}presentationml.presentation`,
	ppt: 'application/vnd.ms-powerpoint',
	pptm: 'application/vnd.ms-powerpoint.presentation.macroenabled.12',
	epub: 'application/epub+zip',
	csv: 'text/csv',
};
