import { keyOf } from '../../text/addresses';
import type { ResearchFailure } from '../contract/result';
import { LimitReached } from '../model/budget';
import { unansweredOrThrow } from '../model/modelCaller';
import type { ModelCaller } from '../model/modelCaller';
import { PROMPTS } from '../model/prompts';
import { piecesOf } from '../../text/pageText';
import type { QuotedPage } from './passages';
import { readClaims, verifyClaims } from './verifyClaims';
import type { DraftClaim, UnverifiedClaim, Verification } from './verifyClaims';

/** Default of `maxPieceCharacters`: about 20,000 tokens. */
const DEFAULT_PIECE_CHARACTERS = 80_000;

/** A piece that is too long for the model is halved, down to this. */
const MIN_PIECE_CHARACTERS = 1500;

/** A page that the model refuses may hold what it must not speak of; two in a row are the model. */
const ENOUGH_REFUSALS = 2;

/** The statements of a page about the question. */
export interface PageReading {
	verified: DraftClaim[];
	/** Asked for twice, and still not held by the page. */
	unverified: UnverifiedClaim[];
	/** Pieces of which nothing could be read, and how many there were. */
	unreadPieces: number;
	pieces: number;
	/** The reason: the last answer was a refusal, or was not what was asked for. */
	trouble?: 'refused' | 'tooLong' | 'noJson' | 'limit' | undefined;
	/** The limit that ended the reading. */
	limit?: LimitReached | undefined;
}

/** A page that is read, and whose it is. */
export interface PageToRead {
	text: QuotedPage;
	url: string;
	title: string;
	/** When it was published or changed last, as it says itself. */
	publishedAt: string | undefined;
}

/** What pages are read for: how the model is asked, and what becomes of its answer. */
export interface ReadingForm {
	/** The instructions to the model. */
	system: string;
	/** What stands before the page in each request; it names the reading in the notes, too. */
	request: string;
	/** What of a page is sent besides its text, such as where its links lead. */
	besides?(page: PageToRead): string;
	readAnswer(text: string): DraftClaim[] | undefined;
	verify(step: string, drafts: DraftClaim[], page: PageToRead): Promise<Verification>;
}

/** The questions that pages are read for. */
interface Questions {
	query: string;
	subQuestions: string[];
	/** Whether the model judges what code cannot. */
	judges: boolean;
	/** Whether claims keep where their quotes stand. */
	keepsContext: boolean;
}

/** Pages are read for statements that help to answer questions. */
export function claimsForm({ query, subQuestions, judges, keepsContext }: Questions, model: ModelCaller): ReadingForm {
	const numbered = subQuestions.map((one, index) => `${index + 1}. ${one}`);
	const questions = [query, ...subQuestions];
	return {
		system: PROMPTS.read,
		request: [`The question: ${query}`, ...numbered].join('\n'),
		readAnswer: readClaims,
		verify: async (step, drafts, { text: page }) =>
			await verifyClaims(step, drafts, { page, questions, judges, keepsContext }, model),
	};
}

/** Reads pages for their claims: in pieces that fit the model, each piece in one call. */
export class PageReader {
	/** Gets smaller when the model says that a piece is too long. */
	private maxPiece: number;

	private answers = 0;

	private refusals = 0;

	private refusal: ResearchFailure | undefined;

	/** The reason why no page need be read any more: the model has refused the first ones and answered for none. */
	get isUseless(): ResearchFailure | undefined {
		return this.answers === 0 && this.refusals >= ENOUGH_REFUSALS ? this.refusal : undefined;
	}

	/** Whether the model has given claims, or said that there are none. */
	get hasAnswered(): boolean {
		return this.answers > 0;
	}

	/** Whether it has given an answer that could not be read. */
	hasUnread = false;

	/** Names what pages are read for, in the notes. */
	readonly key: string;

	constructor(
		private readonly model: ModelCaller,
		private readonly form: ReadingForm,
		maxPieceCharacters = DEFAULT_PIECE_CHARACTERS,
	) {
		this.maxPiece = maxPieceCharacters;
		this.key = keyOf(form.request);
	}

	/**
	 * `name`: of the page, in the notes. `part`: the only part of the page that the model is to read. Throws
	 * ResearchFailure; what could not be read, and a limit that was reached, is told in the reading.
	 */
	async read(name: string, page: PageToRead, part = page.text.readable): Promise<PageReading> {
		const pieces = piecesOf(part, this.maxPiece);
		return together(await Promise.all(this.readAll(name, pieces, page)));
	}

	private readAll(name: string, pieces: string[], page: PageToRead): Array<Promise<PageReading>> {
		return pieces.map(async (piece) => {
			// The length of a piece may change from one try to the next, so its beginning does not name it.
			return await this.readPiece(`${name} ${this.key} ${keyOf(piece)}`, piece, page, name);
		});
	}

	private async readPiece(step: string, piece: string, page: PageToRead, name: string): Promise<PageReading> {
		try {
			const drafts = await this.model.askFor(
				{
					step: `read ${step}`,
					role: 'reading',
					system: this.form.system,
					user: this.requestFor(piece, page),
					mayBeCut: piece.length >= 2 * MIN_PIECE_CHARACTERS,
				},
				(text) => this.form.readAnswer(text),
			);
			if (!drafts) {
				this.hasUnread = true;
				return unread('noJson');
			}
			this.answers += 1;
			const { verified, unverified, limit } = await this.form.verify(step, drafts, page);
			return { verified, unverified, unreadPieces: 0, pieces: 1, limit };
		} catch (error) {
			if (error instanceof LimitReached) return { ...unread('limit'), limit: error };
			const { kind, failure } = unansweredOrThrow(error);
			const isTooShort = piece.length < 2 * MIN_PIECE_CHARACTERS;
			if (kind === 'refused') {
				this.refusals += 1;
				this.refusal = failure;
			}
			if (kind === 'refused' || isTooShort) return unread(kind);
			const half = Math.ceil(piece.length / 2);
			this.maxPiece = Math.min(this.maxPiece, half);
			return together(await Promise.all(this.readAll(name, piecesOf(piece, half), page)));
		}
	}

	private requestFor(piece: string, page: PageToRead): string {
		const besides = this.form.besides?.(page) ?? '';
		const asked = `${this.form.request}\n\nThe page:\n${this.model.asData(piece)}`;
		return besides === '' ? asked : `${asked}\n\n${besides}`;
	}
}

function unread(trouble: PageReading['trouble']): PageReading {
	return { verified: [], unverified: [], unreadPieces: 1, pieces: 1, trouble };
}

function together(readings: PageReading[]): PageReading {
	const sum = (field: 'unreadPieces' | 'pieces') => readings.reduce((total, reading) => total + reading[field], 0);
	return {
		verified: readings.flatMap(({ verified }) => verified),
		unverified: readings.flatMap(({ unverified }) => unverified),
		unreadPieces: sum('unreadPieces'),
		pieces: sum('pieces'),
		trouble: readings.findLast(({ trouble }) => trouble)?.trouble,
		limit: readings.find(({ limit }) => limit)?.limit,
	};
}
