/** Month names, lowercase and without accents, in languages whose pages write dates in words. */

const monthNames = [
  "january february march april may june july august september october november december", // English
  "januar februar marz april mai juni juli august september oktober november dezember", // German
  "janner feber maerz april mai juno julei august september oktober november dezember",
  "janvier fevrier mars avril mai juin juillet aout septembre octobre novembre decembre", // French
  "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre", // Spanish
  "gener febrer marc abril maig juny juliol agost setembre octubre novembre desembre", // Catalan
  "janeiro fevereiro marco abril maio junho julho agosto setembro outubro novembro dezembro", // Portuguese
  "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre", // Italian
  "januari februari maart april mei juni juli augustus september oktober november december", // Dutch
  "januar februar marts april maj juni juli august september oktober november december", // Danish
  "januari februari mars april maj juni juli augusti september oktober november december", // Swedish
  "januar februar mars april mai juni juli august september oktober november desember", // Norwegian
  "januar februar mars april mai juni juli agust september oktober november desember", // Icelandic
  "tammikuuta helmikuuta maaliskuuta huhtikuuta toukokuuta kesakuuta heinakuuta elokuuta syyskuuta lokakuuta marraskuuta joulukuuta", // Finnish
  "jaanuar veebruar marts aprill mai juuni juuli august september oktoober november detsember", // Estonian
  "janvaris februaris marts aprilis maijs junijs julijs augusts septembris oktobris novembris decembris", // Latvian
  "sausio vasario kovo balandzio geguzes birzelio liepos rugpjucio rugsejo spalio lapkricio gruodzio", // Lithuanian
  "stycznia lutego marca kwietnia maja czerwca lipca sierpnia wrzesnia pazdziernika listopada grudnia", // Polish
  "styczen luty marzec kwiecien maj czerwiec lipiec sierpien wrzesien pazdziernik listopad grudzien",
  "ledna unora brezna dubna kvetna cervna cervence srpna zari rijna listopadu prosince", // Czech
  "leden unor brezen duben kveten cerven cervenec srpen zari rijen listopad prosinec",
  "januara februara marca aprila maja juna jula augusta septembra oktobra novembra decembra", // Slovak
  "januarja februarja marca aprila maja junija julija avgusta septembra oktobra novembra decembra", // Slovenian
  "januar februar mart april maj jun jul avgust septembar oktobar novembar decembar", // Serbian
  "јануар фебруар март април мај јун јул август септембар октобар новембар децембар",
  "ianuarie februarie martie aprilie mai iunie iulie august septembrie octombrie noiembrie decembrie", // Romanian
  "januar februar marcius aprilis majus junius julius augusztus szeptember oktober november december", // Hungarian
  "ocak subat mart nisan mayıs haziran temmuz agustos eylul ekim kasım aralık", // Turkish
  "januari februari maret april mei juni juli agustus september oktober november desember", // Indonesian
  "januari februari mac april mei jun julai ogos september oktober november disember", // Malay
  "января февраля марта апреля мая июня июля августа сентября октября ноября декабря", // Russian
  "январь февраль март апрель май июнь июль август сентябрь октябрь ноябрь декабрь",
  "січня лютого березня квітня травня червня липня серпня вересня жовтня листопада грудня", // Ukrainian
  "януари февруари март април май юни юли август септември октомври ноември декември", // Bulgarian
  "ιανουαριου φεβρουαριου μαρτιου απριλιου μαιου ιουνιου ιουλιου αυγουστου σεπτεμβριου οκτωβριου νοεμβριου δεκεμβριου", // Greek
  "ιανουαριος φεβρουαριος μαρτιος απριλιος μαιος ιουνιος ιουλιος αυγουστος σεπτεμβριος οκτωβριος νοεμβριος δεκεμβριος",
  "يناير فبراير مارس ابريل مايو يونيو يوليو اغسطس سبتمبر اكتوبر نوفمبر ديسمبر", // Arabic
  "جانفي فيفري مارس افريل ماي جوان جويلية اوت سبتمبر اكتوبر نوفمبر ديسمبر",
  "जनवरी फरवरी मार्च अप्रैल मई जून जुलाई अगस्त सितंबर अक्टूबर नवंबर दिसंबर", // Hindi
];

/** Abbreviations that are not a prefix of a full name. */
const extraAbbreviations: readonly (readonly [name: string, month: number])[] = [
  ["mrz", 3],
  ["mrt", 3],
];

/** Croatian uses some names of other Slavic languages for the month before or after. */
const croatian = "sijecnja veljace ozujka travnja svibnja lipnja srpnja kolovoza rujna listopada studenoga prosinca".split(" ");

const fullNames = new Map<string, number>();
const abbreviations = new Map<string, number>();
for (const line of monthNames) for (const [place, name] of line.split(" ").entries()) addMonth(withoutAccents(name), place + 1);
for (const [name, month] of extraAbbreviations) abbreviations.set(name, month);

function addMonth(name: string, month: number): void {
  if (!fullNames.has(name)) fullNames.set(name, month);
  for (const length of [3, 4, 5]) {
    const start = name.slice(0, length);
    if (name.length > length && !abbreviations.has(start)) abbreviations.set(start, month);
  }
}

/** Lowercase without accents. */
export function withoutAccents(word: string): string {
  const lowerCase = word.toLowerCase();
  return /^[a-z]*$/.test(lowerCase) ? lowerCase : lowerCase.normalize("NFD").replace(/\p{M}/gu, "");
}

/** The month that a word names, 1–12. */
export function monthOf(word: string, lang: string): number | undefined {
  if (word.length < 2 || word.length > 14) return undefined;
  const name = withoutAccents(word);
  if (lang === "hr" && croatian.includes(name)) return croatian.indexOf(name) + 1;
  return fullNames.get(name) ?? abbreviations.get(name) ?? (croatian.includes(name) ? croatian.indexOf(name) + 1 : undefined);
}
