import { seededRandom } from '../../../sandbox/runtime/runtime.ts';

/** A script in which pages and reports are made: its words, digits and marks, and where it has spaces. */
export interface Script {
	name: string;
	words: readonly string[];
	/** From 0 to 9. */
	digits: readonly string[];
	/** Between words. */
	space: string;
	/** Between clauses, where words have no space. */
	pause: string;
	/** At the end of a sentence; empty where there is none. */
	mark: string;
	/** Behind the mark, before the next sentence. */
	behind: string;
	/** Leads to a list. */
	colon: string;
}

const split = (words: string): string[] => words.split(' ');
const digitsFrom = (zero: string): string[] => {
	const code = zero.codePointAt(0) ?? 0;
	return Array.from({ length: 10 }, (_digit, at) => String.fromCodePoint(code + at));
};

const SPACED = { digits: digitsFrom('0'), space: ' ', pause: ' ', mark: '.', behind: ' ', colon: ':' };
const TIGHT = { digits: digitsFrom('0'), space: '', pause: '', mark: '。', behind: '', colon: '：' };

export const SCRIPTS: readonly Script[] = [
	{
		...SPACED,
		name: 'Latin',
		words: split(
			'der Hafen wurde von einer Gesellschaft gebaut und später für große Schiffe vertieft während Arbeiter dort lebten',
		),
	},
	{
		...SPACED,
		name: 'Cyrillic',
		words: split(
			'завод был построен в старом городе и позже закрыт когда рабочие переехали на новое место рядом с рекой',
		),
	},
	{
		...SPACED,
		name: 'Greek',
		words: split('το λιμάνι χτίστηκε από μια εταιρεία και αργότερα έκλεισε όταν οι εργάτες έφυγαν για την πόλη'),
	},
	{
		...SPACED,
		name: 'Arabic',
		words: split('بنت الشركة المصنع في المدينة القديمة ثم أغلقته بعد سنوات عندما انتقل العمال إلى مكان آخر قرب النهر'),
		digits: digitsFrom('٠'),
	},
	{
		...SPACED,
		name: 'Hebrew',
		words: split('החברה בנתה את המפעל בעיר הישנה וסגרה אותו מאוחר יותר כאשר הפועלים עברו למקום אחר ליד הנהר'),
	},
	{
		...SPACED,
		name: 'Devanagari',
		words: split('कंपनी ने पुराने शहर में कारखाना बनाया और बाद में उसे बंद किया जब मजदूर नदी के पास चले गए'),
		digits: digitsFrom('०'),
		mark: '।',
	},
	{
		...TIGHT,
		name: 'Chinese',
		words: split('公司 工厂 城市 工人 河边 建成 关闭 后来 因为 新的 地方 港口 船只 搬到 旧 住在 许多 完成'),
	},
	{
		...TIGHT,
		name: 'Japanese',
		words: split('会社 は 工場 を 古い 町 で 建てた 後に 閉じた 港 の 船 が 移った 川の 近く 働く 人々'),
		digits: digitsFrom('０'),
	},
	{
		...TIGHT,
		name: 'Thai',
		words: split('บริษัท สร้าง โรงงาน ใน เมือง เก่า และ ปิด ต่อมา เมื่อ คนงาน ย้าย ไป ที่ ใหม่ ใกล้ แม่น้ำ'),
		digits: digitsFrom('๐'),
		pause: ' ',
		mark: '',
		behind: ' ',
		colon: ':',
	},
	{
		...TIGHT,
		name: 'Khmer',
		words: split('ក្រុមហ៊ុន បាន សាងសង់ រោងចក្រ នៅ ក្នុង ទីក្រុង ចាស់ ហើយ បិទ ពេល កម្មករ ផ្លាស់ ទៅ កន្លែង ថ្មី'),
		digits: digitsFrom('០'),
		pause: ' ',
		mark: '។',
		behind: ' ',
		colon: '៖',
	},
];

/** A sentence of the script with one figure in it. */
export interface MadeSentence {
	/** Without its mark. */
	said: string;
	text: string;
	figure: number;
	/** The same with another figure. */
	withFigure(figure: number): string;
}

/** Sentences of a script, the same for the same seed; each has a figure that no other has. */
export function sentencesOf(script: Script, count: number, seed: number): MadeSentence[] {
	const random = seededRandom(seed);
	const { words, digits, space, pause, mark } = script;
	return Array.from({ length: count }, (_sentence, number) => {
		const length = 9 + Math.floor(random() * 6);
		const at = 2 + Math.floor(random() * (length - 4));
		const pauses = new Set([Math.floor(length / 2)]);
		const chosen = Array.from({ length }, () => words[Math.floor(random() * words.length)] ?? '');
		const figure = 1000 + number * 37 + Math.floor(random() * 30);
		const withFigure = (value: number): string => {
			const shown = [...String(value)].map((digit) => digits[Number(digit)] ?? '').join('');
			const parts = chosen.map((word, index) => (index === at ? `${word}${space}${shown}` : word));
			const text = parts.reduce((before, part, index) => before + (pauses.has(index) ? pause : space) + part);
			return text.charAt(0).toUpperCase() + text.slice(1) + mark;
		};
		const text = withFigure(figure);
		return { text, said: mark === '' ? text : text.slice(0, -mark.length), figure, withFigure };
	});
}
