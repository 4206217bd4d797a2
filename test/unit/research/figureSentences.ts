/**
 * Sentences with figures as people write them in twelve languages, by hand: none of it comes from Intl, which the code
 * under test has its names from.
 */
export interface FigureSentences {
	language: string;
	/** The twelve months, as they stand in a date. */
	months: string;
	date: (day: number, month: string, year: number) => string;
	/** How long, in kilometers; and in another unit. */
	length: (count: string) => string;
	other: (count: string) => string;
	/** How long, in hours; and in days. */
	hours: (count: number) => string;
	days: (count: number) => string;
	/** People, in millions; and in billions. */
	millions: (count: string) => string;
	billions: (count: string) => string;
	percent: (count: string) => string;
	/** The decimal mark. */
	mark: string;
}

/** `|` parts the months. */
export const FIGURE_SENTENCES: readonly FigureSentences[] = [
	{
		language: 'en',
		months: 'January|February|March|April|May|June|July|August|September|October|November|December',
		date: (day, month, year) => `The bridge was opened on ${month} ${day}, ${year}.`,
		length: (count) => `The line is ${count} kilometers long.`,
		other: (count) => `The line is ${count} miles long.`,
		hours: (count) => `The strike lasted ${count} hours.`,
		days: (count) => `The strike lasted ${count} days.`,
		millions: (count) => `The firm made a profit of ${count} million.`,
		billions: (count) => `The firm made a profit of ${count} billion.`,
		percent: (count) => `Rents rose by ${count} percent.`,
		mark: '.',
	},
	{
		language: 'de',
		months: 'Januar|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember',
		date: (day, month, year) => `Die Brücke wurde am ${day}. ${month} ${year} eröffnet.`,
		length: (count) => `Die Strecke ist ${count} km lang.`,
		other: (count) => `Die Strecke ist ${count} Meilen lang.`,
		hours: (count) => `Der Streik dauerte ${count} Stunden.`,
		days: (count) => `Der Streik dauerte ${count} Tage.`,
		millions: (count) => `Das Unternehmen hatte ${count} Mio. Gewinn.`,
		billions: (count) => `Das Unternehmen hatte ${count} Milliarden Gewinn.`,
		percent: (count) => `Die Mieten stiegen um ${count} Prozent.`,
		mark: ',',
	},
	{
		language: 'fr',
		months: 'janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre',
		date: (day, month, year) => `Le pont a été ouvert le ${day} ${month} ${year}.`,
		length: (count) => `La ligne fait ${count} kilomètres.`,
		other: (count) => `La ligne fait ${count} mètres.`,
		hours: (count) => `La grève a duré ${count} heures.`,
		days: (count) => `La grève a duré ${count} jours.`,
		millions: (count) => `L’entreprise a gagné ${count} millions d’euros.`,
		billions: (count) => `L’entreprise a gagné ${count} milliards d’euros.`,
		percent: (count) => `Les loyers ont augmenté de ${count} %.`,
		mark: ',',
	},
	{
		language: 'es',
		months: 'enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre',
		date: (day, month, year) => `El puente se abrió el ${day} de ${month} de ${year}.`,
		length: (count) => `La línea tiene ${count} kilómetros.`,
		other: (count) => `La línea tiene ${count} millas.`,
		hours: (count) => `La huelga duró ${count} horas.`,
		days: (count) => `La huelga duró ${count} días.`,
		millions: (count) => `La empresa ganó ${count} millones de euros.`,
		billions: (count) => `La empresa ganó ${count} mil millones de euros.`,
		percent: (count) => `Los alquileres subieron un ${count} por ciento.`,
		mark: ',',
	},
	{
		language: 'it',
		months: 'gennaio|febbraio|marzo|aprile|maggio|giugno|luglio|agosto|settembre|ottobre|novembre|dicembre',
		date: (day, month, year) => `Il ponte fu aperto il ${day} ${month} ${year}.`,
		length: (count) => `La linea è lunga ${count} chilometri.`,
		other: (count) => `La linea è lunga ${count} miglia.`,
		hours: (count) => `Lo sciopero durò ${count} ore.`,
		days: (count) => `Lo sciopero durò ${count} giorni.`,
		millions: (count) => `L’impresa ha guadagnato ${count} milioni di euro.`,
		billions: (count) => `L’impresa ha guadagnato ${count} miliardi di euro.`,
		percent: (count) => `Gli affitti sono saliti del ${count} per cento.`,
		mark: ',',
	},
	{
		language: 'pt',
		months: 'janeiro|fevereiro|março|abril|maio|junho|julho|agosto|setembro|outubro|novembro|dezembro',
		date: (day, month, year) => `A ponte foi aberta em ${day} de ${month} de ${year}.`,
		length: (count) => `A linha tem ${count} quilômetros.`,
		other: (count) => `A linha tem ${count} milhas.`,
		hours: (count) => `A greve durou ${count} horas.`,
		days: (count) => `A greve durou ${count} dias.`,
		millions: (count) => `A empresa ganhou ${count} milhões de reais.`,
		billions: (count) => `A empresa ganhou ${count} bilhões de reais.`,
		percent: (count) => `Os aluguéis subiram ${count}%.`,
		mark: ',',
	},
	{
		language: 'ru',
		months: 'января|февраля|марта|апреля|мая|июня|июля|августа|сентября|октября|ноября|декабря',
		date: (day, month, year) => `Мост был открыт ${day} ${month} ${year} года.`,
		length: (count) => `Длина линии ${count} км.`,
		other: (count) => `Длина линии ${count} миль.`,
		hours: (count) => `Забастовка длилась ${count} часов.`,
		days: (count) => `Забастовка длилась ${count} дней.`,
		millions: (count) => `Компания заработала ${count} млн рублей.`,
		billions: (count) => `Компания заработала ${count} млрд рублей.`,
		percent: (count) => `Аренда выросла на ${count} процентов.`,
		mark: ',',
	},
	{
		language: 'pl',
		months: 'stycznia|lutego|marca|kwietnia|maja|czerwca|lipca|sierpnia|września|października|listopada|grudnia',
		date: (day, month, year) => `Most otwarto ${day} ${month} ${year} r.`,
		length: (count) => `Linia ma ${count} kilometrów.`,
		other: (count) => `Linia ma ${count} mil.`,
		hours: (count) => `Strajk trwał ${count} godzin.`,
		days: (count) => `Strajk trwał ${count} dni.`,
		millions: (count) => `Firma zarobiła ${count} mln złotych.`,
		billions: (count) => `Firma zarobiła ${count} mld złotych.`,
		percent: (count) => `Czynsze wzrosły o ${count}%.`,
		mark: ',',
	},
	{
		language: 'ar',
		months: 'يناير|فبراير|مارس|أبريل|مايو|يونيو|يوليو|أغسطس|سبتمبر|أكتوبر|نوفمبر|ديسمبر',
		date: (day, month, year) => `افتتح الجسر في ${day} ${month} ${year}.`,
		length: (count) => `يبلغ طول الخط ${count} كم.`,
		other: (count) => `يبلغ طول الخط ${count} ميل.`,
		hours: (count) => `استمر الإضراب ${count} ساعة.`,
		days: (count) => `استمر الإضراب ${count} يومًا.`,
		millions: (count) => `ربحت الشركة ${count} مليون.`,
		billions: (count) => `ربحت الشركة ${count} مليار.`,
		percent: (count) => `ارتفعت الإيجارات بنسبة ${count}٪.`,
		mark: '.',
	},
	{
		language: 'ja',
		months: '1|2|3|4|5|6|7|8|9|10|11|12',
		date: (day, month, year) => `この橋は${year}年${month}月${day}日に開通した。`,
		length: (count) => `路線の長さは${count}キロメートルである。`,
		other: (count) => `路線の長さは${count}マイルである。`,
		hours: (count) => `ストライキは${count}時間続いた。`,
		days: (count) => `ストライキは${count}日間続いた。`,
		millions: (count) => `会社の利益は${count}百万であった。`,
		billions: (count) => `会社の利益は${count}十億であった。`,
		percent: (count) => `家賃は${count}%上がった。`,
		mark: '.',
	},
	{
		language: 'zh',
		months: '1|2|3|4|5|6|7|8|9|10|11|12',
		date: (day, month, year) => `大桥于${year}年${month}月${day}日通车。`,
		length: (count) => `线路长${count}公里。`,
		other: (count) => `线路长${count}英里。`,
		hours: (count) => `罢工持续了${count}小时。`,
		days: (count) => `罢工持续了${count}天。`,
		millions: (count) => `公司盈利${count}百万元。`,
		billions: (count) => `公司盈利${count}十亿元。`,
		percent: (count) => `房租上涨了${count}%。`,
		mark: '.',
	},
	{
		language: 'ko',
		months: '1|2|3|4|5|6|7|8|9|10|11|12',
		date: (day, month, year) => `다리는 ${year}년 ${month}월 ${day}일에 개통되었다.`,
		length: (count) => `노선의 길이는 ${count}킬로미터이다.`,
		other: (count) => `노선의 길이는 ${count}마일이다.`,
		hours: (count) => `파업은 ${count}시간 동안 계속되었다.`,
		days: (count) => `파업은 ${count}일 동안 계속되었다.`,
		millions: (count) => `회사는 ${count}백만 원을 벌었다.`,
		billions: (count) => `회사는 ${count}십억 원을 벌었다.`,
		percent: (count) => `임대료가 ${count}퍼센트 올랐다.`,
		mark: '.',
	},
];
