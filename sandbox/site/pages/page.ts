/** One page of the site. Texts are the project's own; their figures are made up to be plausible. */
export interface SitePage {
	path: string;
	title: string;
	/** For the description in the page's head. */
	description: string;
	/** Headings with their paragraphs. */
	sections: ReadonlyArray<{ heading: string; paragraphs: readonly string[] }>;
	/** Paths of pages to read next. */
	related: readonly string[];
}
