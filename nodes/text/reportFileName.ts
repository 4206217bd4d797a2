/**
 * File name for a research report: letters and digits of the question, at most 60 characters. `otherwise` stands
 * for a question that has none.
 */
export function reportFileName(query: string, otherwise: string): string {
	const text = query
		.normalize('NFKD')
		.replace(/[\u0300-\u036f]/g, '')
		.normalize('NFC')
		.toLowerCase()
		.replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
		.replace(/^-+/, '');
	const words = [...text].slice(0, 60).join('').replace(/-+$/, '');
	return `research-${words === '' ? otherwise : words}.md`;
}
