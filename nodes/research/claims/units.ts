/** Units by name, each with how it stands behind a figure. Those that are not here are not compared. */
const MEASURES: Array<[string, RegExp]> = (
	[
		['km/h', 'km\\/h|kph|kilomet(?:er|re)s? per hour'],
		['mph', 'mph|miles per hour'],
		['km', 'km|kilomet(?:er|re)s?'],
		['mi', 'mi|miles?|meilen?'],
		['m', 'm|met(?:er|re)s?'],
		['cm', 'cm|centimet(?:er|re)s?|zentimeter'],
		['mm', 'mm|millimet(?:er|re)s?'],
		['ft', 'ft|feet|foot|fuß'],
		['in', 'inch(?:es)?|zoll'],
		['kg', 'kg|kilograms?|kilogramm|kilos?'],
		['g', 'g|grams?|gramm'],
		['t', 't|tonnes?|tons?|tonnen'],
		['lb', 'lbs?'],
		['s', 's|sec|secs|seconds?|sekunden?'],
		['min', 'min|mins|minutes?|minuten?'],
		['h', 'h|hrs?|hours?|stunden?|std'],
		['d', 'days?|tage?n?|jours?'],
		['wk', 'weeks?|wochen?|semaines?'],
		['mo', 'months?|monate?n?|mois|mes(?:es)?'],
		['y', 'years?|yrs?|jahre?n?|ans|années|años?'],
		['pp', 'percentage points?|prozentpunkte?n?'],
		['kwh', 'kwh|kilowatt[ -]?hours?|kilowattstunden?'],
		['mwh', 'mwh|megawatt[ -]?hours?|megawattstunden?'],
		['gwh', 'gwh|gigawatt[ -]?hours?|gigawattstunden?'],
		['kw', 'kw|kilowatts?'],
		['mw', 'mw|megawatts?'],
		['gw', 'gw|gigawatts?'],
		['w', 'w|watts?'],
		['°c', '° ?c|degrees? celsius|grad celsius'],
		['°f', '° ?f|degrees? fahrenheit'],
		['kb', 'kb|kilobytes?'],
		['mb', 'mb|megabytes?'],
		['gb', 'gb|gigabytes?'],
		['tb', 'tb|terabytes?'],
	] as const
).map(([name, words]) => [name, new RegExp(`^[\\s-]?(?:${words})(?![\\p{L}/])`, 'iu')]);

/** The unit that stands behind a figure; empty where none is known. */
export function measureOf(behind: string): string {
	return MEASURES.find(([, pattern]) => pattern.test(behind))?.[0] ?? '';
}

/** Whether a figure of one unit can be that of another text: percent and money must be named there, too. */
export function isSameUnit(said: string, held: string): boolean {
	if (said === held) return true;
	if (/^[%$€£¥]$/.test(said) || held === '%') return false;
	return said === '' || held === '';
}
