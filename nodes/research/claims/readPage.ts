import { LimitReached } from '../model/budget';
import type { ModelCaller } from '../model/modelCaller';
import { unansweredOrThrow } from '../model/modelFailure';
import { PROMPTS } from '../model/prompts';
import { keyOf } from '../../text/textKey';
import { nearestPassage } from './passages';
import { piecesOf, readableText } from './pageText';
import { readClaims } from './readClaims';
import { isStatement, QuotedPage, verifyClaim } from './verifyClaim';
import type { DraftClaim } from './verifyClaim';

/** Default of `maxPieceCharacters`: about 20,000 tokens. */
const DEFAULT_PIECE_CHARACTERS = 80_000;

/** A piece that is too long for the model is halved, down to this. */
const MIN_PIECE_CHARACTERS = 1500;

/** What a page says about the question. */
export interface PageReading {
	verified: DraftClaim[];
	/** Asked for twice, and still not in the page's words. */
	unsupported: DraftClaim[];
	/** Claims that read as instructions to a model. */
	instructions: number;
	/** Pieces of which nothing could be read, and how many there were. */
	unreadPieces: number;
	pieces: number;
	/** Why: the last answer was a refusal, or was not what was asked for. */
	trouble?: 'refused' | 'tooLong' | 'noJson' | 'limit' | undefined;
	/** The limit that ended the reading. */
	limit?: LimitReached | undefined;
}

/** What every page is read for. */
export interface ReadingTask {
	query: string;
	subQuestions: string[];
	maxPieceCharacters: number | undefined;
}

/** Reads pages for their claims: in pieces that fit the model, each piece in one call. */
export class PageReader {
	/** Gets smaller when the model says that a piece is too long. */
	private maxPiece: number;

	/** Names the questions that pages are read for, in the notes. */
	readonly key: string;

	constructor(
		private readonly model: ModelCaller,
		private readonly task: ReadingTask,
	) {
		this.maxPiece = task.maxPieceCharacters ?? DEFAULT_PIECE_CHARACTERS;
		this.key = keyOf(this.questions());
	}

	/**
	 * `name`: of the page, in the notes. Throws ResearchFailure; what could not be read, and a limit that was
	 * reached, is told in the reading.
	 */
	async read(name: string, markdown: string): Promise<PageReading> {
		const page = new QuotedPage(markdown);
		const pieces = piecesOf(readableText(markdown), this.maxPiece);
		return together(await Promise.all(this.readAll(name, pieces, page)));
	}

	private readAll(name: string, pieces: string[], page: QuotedPage): Array<Promise<PageReading>> {
		return pieces.map(async (piece) => {
			// The length of a piece may change from one try to the next, so its beginning does not name it.
			return await this.readPiece(`${name} ${this.key} ${keyOf(piece)}`, piece, page, name);
		});
	}

	private async readPiece(
		step: string,
		piece: string,
		page: QuotedPage,
		name: string,
	): Promise<PageReading> {
		try {
			const drafts = await this.model.askFor(
				{ step: `read ${step}`, role: 'reading', system: PROMPTS.read, user: this.request(piece) },
				readClaims,
			);
			return drafts ? await this.verify(step, drafts, piece, page) : unread('noJson');
		} catch (error) {
			if (error instanceof LimitReached) return { ...unread('limit'), limit: error };
			const { kind } = unansweredOrThrow(error);
			const isTooShort = piece.length < 2 * MIN_PIECE_CHARACTERS;
			if (kind === 'refused' || isTooShort) return unread(kind);
			const half = Math.ceil(piece.length / 2);
			this.maxPiece = Math.min(this.maxPiece, half);
			return together(await Promise.all(this.readAll(name, piecesOf(piece, half), page)));
		}
	}

	private request(piece: string): string {
		return `${this.questions()}\n\nThe page:\n${this.model.asData(piece)}`;
	}

	private questions(): string {
		const { query, subQuestions } = this.task;
		const numbered = subQuestions.map((one, index) => `${index + 1}. ${one}`);
		return [`The question: ${query}`, ...numbered].join('\n');
	}

	private verified(claim: DraftClaim, page: QuotedPage): DraftClaim | undefined {
		const { query, subQuestions } = this.task;
		return verifyClaim(claim, page, [query, ...subQuestions]);
	}

	/** Claims that the page does not support in these words are asked for once more, without the page. */
	private async verify(
		step: string,
		drafts: DraftClaim[],
		piece: string,
		page: QuotedPage,
	): Promise<PageReading> {
		const honest = drafts.filter((claim) => isStatement(claim, page));
		const first = honest.map((claim) => ({ claim, verified: this.verified(claim, page) }));
		const failed = first.flatMap(({ claim, verified }) => (verified ? [] : [claim]));
		const repaired = failed.length === 0 ? [] : await this.repair(step, failed, piece, page);
		const replaced = new Set(repaired.map(({ replaces }) => replaces));
		return {
			verified: [...first.flatMap((one) => one.verified ?? []), ...repaired],
			unsupported: failed.filter((_, index) => !replaced.has(index + 1)),
			instructions: drafts.length - honest.length,
			unreadPieces: 0,
			pieces: 1,
		};
	}

	private async repair(
		step: string,
		failed: DraftClaim[],
		piece: string,
		page: QuotedPage,
	): Promise<DraftClaim[]> {
		const passages = [
			...new Set(failed.map(({ text, quote }) => nearestPassage(piece, `${quote} ${text}`))),
		];
		const found = passages.filter((passage) => passage !== '');
		if (found.length === 0) return [];
		const claims = failed.map(
			({ text, question }, index) => `${index + 1}. ${text} (question ${question})`,
		);
		const user = `${this.questions()}\n\nThe claims:\n${this.model.asData(claims.join('\n'))}\n\nThe passages:\n${this.model.asData(found.join('\n\n'))}`;
		try {
			const text = await this.model.ask({
				step: `repair ${step}`,
				role: 'reading',
				system: PROMPTS.repair,
				user,
			});
			return (readClaims(text) ?? [])
				.filter((claim) => isStatement(claim, page))
				.flatMap((claim) => this.verified(claim, page) ?? [])
				.slice(0, failed.length);
		} catch (error) {
			// What was verified before stays.
			if (!(error instanceof LimitReached)) unansweredOrThrow(error);
			return [];
		}
	}
}

function unread(trouble: PageReading['trouble']): PageReading {
	return { verified: [], unsupported: [], instructions: 0, unreadPieces: 1, pieces: 1, trouble };
}

function together(readings: PageReading[]): PageReading {
	const sum = (field: 'instructions' | 'unreadPieces' | 'pieces') =>
		readings.reduce((total, reading) => total + reading[field], 0);
	return {
		verified: readings.flatMap(({ verified }) => verified),
		unsupported: readings.flatMap(({ unsupported }) => unsupported),
		instructions: sum('instructions'),
		unreadPieces: sum('unreadPieces'),
		pieces: sum('pieces'),
		trouble: readings.findLast(({ trouble }) => trouble)?.trouble,
		limit: readings.find(({ limit }) => limit)?.limit,
	};
}
