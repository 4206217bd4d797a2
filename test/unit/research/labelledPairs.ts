/**
 * 200 pairs of a statement and a page, with who has to judge them: ten layouts, five languages, four pairs each.
 * Each language has ten facts, one for each layout.
 */
export interface LabelledPair {
	layout: string;
	language: string;
	page: string;
	quote: string;
	statement: string;
	/**
	 * `supported`: true, and code must not throw it away. `quote` and `figures`: code must refuse it. `judge`: false in
	 * words only, so that code cannot tell and the model has to.
	 */
	label: 'supported' | 'quote' | 'figures' | 'judge';
}

/** What stands on the page, a true statement in other words, and one that is false in words only. */
interface Fact {
	subject: string;
	figure: string;
	unit: string;
	said: string;
	true: string;
	false: string;
}

/** The figure of a fact, and another one that its page does not hold. */
const OTHER: Record<string, string> = {
	'30': '45',
	'1,400': '1,900',
	'12.5': '15.2',
	'2019': '2017',
	'7': '9',
	'450': '540',
	'3.5': '5.3',
	'64': '46',
	'18': '80',
	'90': '60',
	'1.400': '1.900',
	'12,5': '15,2',
	'3,5': '5,3',
	'1 400': '1 900',
};

/** Subject | figure | unit | as the page says it | true in other words | false in words only. */
const FACTS: Record<string, Fact[]> = {
	en: facts(`
Claims | 30 | days | Insurance claims must be filed within 30 days of the accident. | Accidents have to be reported to the insurer within 30 days. | Insurance claims may not be filed within 30 days of the accident.
Fleet | 1,400 | bikes | The city runs 1,400 cargo bikes. | There are 1400 cargo bikes in the city’s fleet. | The city sold 1,400 cargo bikes.
Share | 12.5 | % | Cargo bikes carry 12.5% of all parcels. | 12.5 percent of the parcels go by cargo bike. | Vans carry 12.5% of all parcels.
Opening | 2019 | | The depot was opened in March 2019. | The depot has been open since March 2019. | The depot was closed in March 2019.
Dose | 7 | ml | Adults take at most 7 ml a day. | The daily maximum for adults is 7 ml. | Children take at most 7 ml a day.
Range | 450 | km | The van goes 450 km in summer. | In summer the range of the van is 450 km. | The van goes 450 km in winter.
Price | 3.5 | EUR | A parcel costs €3.5 in the city. | In the city a parcel costs 3.5 euros. | A parcel costs €3.5 outside the city.
Limit | 64 | kg | The model "S" must not carry more than 64 kg. | The S carries up to 64 kg. | The model "S" must carry more than 64 kg.
Warranty | 18 | months | The battery has a warranty of 18 months. | For 18 months the battery is under warranty. | The frame has a warranty of 18 months.
Noise | 90 | dB | Diesel vans are banned above 90 dB. | Above 90 dB diesel vans are not allowed. | Diesel vans are allowed above 90 dB.
`),
	de: facts(`
Fristen | 30 | Tage | Schäden müssen innerhalb von 30 Tagen gemeldet werden. | Die Meldefrist für Schäden beträgt 30 Tage. | Schäden müssen nicht innerhalb von 30 Tagen gemeldet werden.
Flotte | 1.400 | Räder | Die Stadt betreibt 1.400 Lastenräder. | In der Stadt fahren 1400 Lastenräder. | Die Stadt verkaufte 1.400 Lastenräder.
Anteil | 12,5 | % | Lastenräder tragen 12,5 % aller Pakete. | 12,5 Prozent der Pakete kommen per Lastenrad. | Lieferwagen tragen 12,5 % aller Pakete.
Eröffnung | 2019 | | Das Depot wurde im März 2019 eröffnet. | Seit März 2019 gibt es das Depot. | Das Depot wurde im März 2019 geschlossen.
Dosis | 7 | ml | Erwachsene nehmen höchstens 7 ml am Tag. | Die Tagesdosis für Erwachsene ist höchstens 7 ml. | Kinder nehmen höchstens 7 ml am Tag.
Reichweite | 450 | km | Der Wagen fährt im Sommer 450 km. | Im Sommer reicht eine Ladung für 450 km. | Der Wagen fährt im Winter 450 km.
Preis | 3,5 | EUR | Ein Paket kostet in der Stadt 3,5 Euro. | In der Stadt zahlt man 3,5 € je Paket. | Ein Paket kostet auf dem Land 3,5 Euro.
Last | 64 | kg | Das Modell S darf nicht mehr als 64 kg tragen. | Bis 64 kg trägt das Modell S. | Das Modell S muss mehr als 64 kg tragen.
Garantie | 18 | Monate | Auf den Akku gibt es 18 Monate Garantie. | Der Akku hat eine Garantie von 18 Monaten. | Auf den Rahmen gibt es 18 Monate Garantie.
Lärm | 90 | dB | Über 90 dB sind Diesel verboten. | Diesel dürfen nicht über 90 dB laut sein. | Über 90 dB sind Diesel erlaubt.
`),
	fr: facts(`
Délais | 30 | jours | Les sinistres doivent être déclarés dans les 30 jours. | Le délai de déclaration est de 30 jours. | Les sinistres ne doivent pas être déclarés dans les 30 jours.
Flotte | 1 400 | vélos | La ville exploite 1 400 vélos cargo. | La ville a 1400 vélos cargo. | La ville a vendu 1 400 vélos cargo.
Part | 12,5 | % | Les vélos portent 12,5 % des colis. | 12,5 % des colis vont à vélo. | Les camions portent 12,5 % des colis.
Ouverture | 2019 | | Le dépôt a ouvert en mars 2019. | Le dépôt existe depuis mars 2019. | Le dépôt a fermé en mars 2019.
Dose | 7 | ml | Les adultes prennent au plus 7 ml par jour. | La dose maximale des adultes est de 7 ml. | Les enfants prennent au plus 7 ml par jour.
Autonomie | 450 | km | La camionnette fait 450 km en été. | En été, son autonomie est de 450 km. | La camionnette fait 450 km en hiver.
Prix | 3,5 | EUR | Un colis coûte 3,5 € en ville. | En ville, on paie 3,5 euros par colis. | Un colis coûte 3,5 € à la campagne.
Charge | 64 | kg | Le modèle S ne doit pas porter plus de 64 kg. | Le modèle S porte 64 kg au plus. | Le modèle S doit porter plus de 64 kg.
Garantie | 18 | mois | La batterie est garantie 18 mois. | La garantie de la batterie dure 18 mois. | Le cadre est garanti 18 mois.
Bruit | 90 | dB | Au-dessus de 90 dB, le diesel est interdit. | Le diesel n’est pas permis au-dessus de 90 dB. | Au-dessus de 90 dB, le diesel est permis.
`),
	es: facts(`
Plazos | 30 | días | Los daños se declaran en un plazo de 30 días. | Hay 30 días para declarar los daños. | Los daños no se declaran en un plazo de 30 días.
Flota | 1.400 | bicis | La ciudad tiene 1.400 bicicletas de carga. | Son 1400 las bicicletas de carga de la ciudad. | La ciudad vendió 1.400 bicicletas de carga.
Cuota | 12,5 | % | Las bicicletas llevan el 12,5 % de los paquetes. | El 12,5 por ciento de los paquetes va en bicicleta. | Los camiones llevan el 12,5 % de los paquetes.
Apertura | 2019 | | El depósito abrió en marzo de 2019. | El depósito existe desde marzo de 2019. | El depósito cerró en marzo de 2019.
Dosis | 7 | ml | Los adultos toman como máximo 7 ml al día. | La dosis máxima para adultos es de 7 ml. | Los niños toman como máximo 7 ml al día.
Autonomía | 450 | km | La furgoneta recorre 450 km en verano. | En verano su autonomía es de 450 km. | La furgoneta recorre 450 km en invierno.
Precio | 3,5 | EUR | Un paquete cuesta 3,5 € en la ciudad. | En la ciudad se pagan 3,5 euros por paquete. | Un paquete cuesta 3,5 € en el campo.
Carga | 64 | kg | El modelo S no debe llevar más de 64 kg. | El modelo S lleva 64 kg como máximo. | El modelo S debe llevar más de 64 kg.
Garantía | 18 | meses | La batería tiene 18 meses de garantía. | La garantía de la batería es de 18 meses. | El cuadro tiene 18 meses de garantía.
Ruido | 90 | dB | Por encima de 90 dB el diésel está prohibido. | El diésel no se permite por encima de 90 dB. | Por encima de 90 dB el diésel está permitido.
`),
	sv: facts(`
Frister | 30 | dagar | Skador ska anmälas inom 30 dagar. | Fristen för att anmäla skador är 30 dagar. | Skador ska inte anmälas inom 30 dagar.
Flotta | 1 400 | cyklar | Staden driver 1 400 lastcyklar. | Staden har 1400 lastcyklar. | Staden sålde 1 400 lastcyklar.
Andel | 12,5 | % | Lastcyklar bär 12,5 % av alla paket. | 12,5 procent av paketen går med lastcykel. | Lastbilar bär 12,5 % av alla paket.
Öppning | 2019 | | Depån öppnade i mars 2019. | Depån har funnits sedan mars 2019. | Depån stängde i mars 2019.
Dos | 7 | ml | Vuxna tar högst 7 ml om dagen. | Största dosen för vuxna är 7 ml. | Barn tar högst 7 ml om dagen.
Räckvidd | 450 | km | Skåpbilen går 450 km på sommaren. | På sommaren är räckvidden 450 km. | Skåpbilen går 450 km på vintern.
Pris | 3,5 | EUR | Ett paket kostar 3,5 € i staden. | I staden betalar man 3,5 euro per paket. | Ett paket kostar 3,5 € på landet.
Last | 64 | kg | Modell S får inte bära mer än 64 kg. | Modell S bär högst 64 kg. | Modell S måste bära mer än 64 kg.
Garanti | 18 | månader | Batteriet har 18 månaders garanti. | Garantin på batteriet är 18 månader. | Ramen har 18 månaders garanti.
Buller | 90 | dB | Över 90 dB är diesel förbjuden. | Diesel är inte tillåten över 90 dB. | Över 90 dB är diesel tillåten.
`),
};

function facts(table: string): Fact[] {
	return table
		.trim()
		.split('\n')
		.map((row) => {
			const [subject = '', figure = '', unit = '', said = '', isTrue = '', isFalse = ''] = row
				.split('|')
				.map((cell) => cell.trim());
			return { subject, figure, unit, said, true: isTrue, false: isFalse };
		});
}

/** How a page puts its facts, and what of it is the quote. */
const LAYOUTS: Array<[string, (all: Fact[]) => string, (fact: Fact) => string]> = [
	['paragraphs', (all) => all.map(({ said }) => said).join(' '), ({ said }) => said],
	[
		'underlined headings',
		(all) => all.map(({ subject, said }) => `${subject}\n=====\n${said}`).join('\n\n'),
		({ said }) => said,
	],
	[
		'a list without full stops',
		(all) => all.map(({ said }) => `- ${said.replace(/\.$/, '')}`).join('\n'),
		({ said }) => said,
	],
	[
		'a table',
		(all) =>
			[
				'| A | B | C |',
				'| --- | --- | --- |',
				...all.map(({ subject, figure, said }) => `| ${subject} | ${figure} | ${said} |`),
			].join('\n'),
		({ said }) => said,
	],
	[
		'a table with its units in the head',
		(all) =>
			[
				`| | ${all.map(({ subject, unit }) => (unit === '' ? subject : `${subject} (${unit})`)).join(' | ')} |`,
				`| --- ${all.map(() => '| ---').join(' ')} |`,
				`| S | ${all.map(({ figure }) => figure).join(' | ')} |`,
			].join('\n'),
		() => '',
	],
	[
		'questions and answers',
		(all) => all.map(({ subject, said }) => `**${subject}?**\n\n${said}`).join('\n\n'),
		({ said }) => said,
	],
	[
		'numbered articles of a law',
		(all) => all.map(({ subject, said }, at) => `§ ${at + 101} ${subject}\n\n(1) ${said}`).join('\n\n'),
		({ said }) => `(1) ${said}`,
	],
	[
		'a list of products with bold labels',
		(all) => all.map(({ subject, said }) => `* **${subject}:** ${said}`).join('\n'),
		({ subject, said }) => `**${subject}:** ${said}`,
	],
	[
		'an API manual with code',
		(all) =>
			all.map(({ subject, said }) => `### \`${subject}\`\n\n\`\`\`json\n{"x": 1}\n\`\`\`\n\n> ${said}`).join('\n\n'),
		({ said }) => said,
	],
	[
		'links and emphasis',
		(all) =>
			all
				.map(({ said }) => said.replace(/(\S+)$/, '[$1](https://a.example/x_(y))').replace(/^(\S+)/, '*$1*'))
				.join('\n\n'),
		({ said }) => said,
	],
];

/** All pairs. */
export const PAIRS: LabelledPair[] = Object.entries(FACTS).flatMap(([language, all]) =>
	LAYOUTS.flatMap(([layout, render, quoteOf], at) => {
		const fact = all[at];
		if (!fact) return [];
		const page = render(all);
		const quote = quoteOf(fact) || `S ${all.map(({ figure }) => figure).join(' ')}`;
		const pair = (statement: string, label: LabelledPair['label'], other = quote): LabelledPair => ({
			layout,
			language,
			page,
			quote: other,
			statement,
			label,
		});
		const wrong = fact.true.replace(plainOrSame(fact), OTHER[fact.figure] ?? '99');
		return [
			pair(fact.true, 'supported'),
			pair(fact.false, 'judge'),
			pair(wrong, 'figures'),
			pair(fact.true, 'quote', `${fact.subject} ${fact.true} ${fact.subject}`),
		];
	}),
);

/** The figure as the true statement writes it. */
function plainOrSame({ figure, true: said }: Fact): string {
	return said.includes(figure) ? figure : figure.replace(/[.,\s]/g, '');
}
