import type { IDataObject } from 'n8n-workflow';

import type { ResearchResult } from '../research/contract/result';
import { reportFileName } from '../text/reportFileName';
import type { ItemDraft } from '../WebData/operation/operation';
import { writeReport } from './report';

/** What every output says of the run besides the result: what it could not do, and what it cost. */
function outcomeOf(result: ResearchResult): IDataObject {
	const { status, endedBy, limit, nothing, warnings, unanswered, contradictions, usage } = result;
	return {
		unanswered,
		contradictions: contradictions.map(({ statements }) => ({
			statements: statements.map((statement) => ({ ...statement })),
		})),
		status,
		endedBy,
		...(limit !== undefined && { limit }),
		...(nothing !== undefined && { reason: nothing }),
		...(warnings.length > 0 && { warnings }),
		pagesRead: result.pagesRead,
		usage: { ...usage },
	};
}

function simplified(result: ResearchResult): IDataObject {
	const { query, finalAnalysis, json, sources, status } = result;
	return {
		query,
		...(status !== 'empty' && { finalAnalysis }),
		...(json !== undefined && { json: json as IDataObject }),
		sources: sources.map(({ number, title, url }) => ({ number, title, url })),
		...outcomeOf(result),
	};
}

function fullRecord(result: ResearchResult): IDataObject {
	const { sources, claims, skippedPages, activities, checks } = result;
	return {
		...simplified(result),
		sources: sources.map((source) => ({ ...source })),
		claims: claims.map((claim) => ({ ...claim })),
		skippedPages: skippedPages.map((page) => ({ ...page })),
		activities: activities.map((activity) => ({ ...activity })),
		checks: { ...checks, unverifiedClaims: { ...checks.unverifiedClaims } },
	};
}

/** A question without any is put out itself: it is paid for, and nothing says nothing. */
function rowsOr(rows: IDataObject[], result: ResearchResult): ItemDraft[] {
	return rows.length === 0 ? [{ json: simplified(result) }] : rows.map((json) => ({ json }));
}

function reportFile(result: ResearchResult): ItemDraft {
	const { query, sources, status } = result;
	// A report about nothing is no report.
	if (status === 'empty') return { json: simplified(result) };
	const fileName = reportFileName(query, 'report');
	return {
		json: {
			query,
			fileName,
			sources: sources.map(({ number, title, url }) => ({ number, title, url })),
			...outcomeOf(result),
		},
		files: [{ field: 'data', fileName, mimeType: 'text/markdown', text: writeReport(result) }],
	};
}

/** The items of one question, as the field Output says. An AI agent reads text: it gets no file. */
export function resultItems(result: ResearchResult, output: string, asText: boolean): ItemDraft[] {
	const { query, claims, sources } = result;
	if (output === 'fullRecord') return [{ json: fullRecord(result) }];
	if (asText) return [{ json: simplified(result) }];
	switch (output) {
		case 'claims':
			return rowsOr(
				claims.map((claim, index) => ({ query, ...claim, position: index + 1 })),
				result,
			);
		case 'sources':
			return rowsOr(
				sources.map((source) => ({ query, ...source })),
				result,
			);
		case 'reportFile':
			return [reportFile(result)];
		default:
			return [{ json: simplified(result) }];
	}
}
