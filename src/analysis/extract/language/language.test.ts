import { describe, expect, test } from "vitest";
import { extractWithSources } from "../index.ts";
import { detectLanguage } from "./detect-language.ts";
import { languageTag } from "./language-tag.ts";

describe("language tags", () => {
  test.each([
    ["en_US", "en-US"],
    ["deu", "de"],
    ["ger", "de"],
    ["Deutsch", "de"],
    ["EN-gb", "en-GB"],
    ["en-UK", "en-GB"],
    ["en-EN", "en"],
    ["iw", "he"],
    ["zh_hans_cn", "zh-Hans-CN"],
    ["pt-br, en", "pt-BR"],
    ["en_US.UTF-8", "en-US"],
    ["es-419", "es-419"],
  ])("%s is %s", (raw, tag) => expect(languageTag(raw)).toBe(tag));

  test.each(["", "x-default", "und", "zz", "klingon", "{{lang}}", "<b>", "-"])("%j is none", (raw) =>
    expect(languageTag(raw)).toBeUndefined(),
  );
});

const texts: [lang: string, text: string][] = [
  ["en", "The ferry leaves the harbour at six in the morning and it does not wait for anyone who is late."],
  ["de", "Die Fähre verlässt den Hafen um sechs Uhr morgens und wartet auf niemanden, der zu spät kommt, auch nicht auf mich."],
  ["fr", "Le bateau quitte le port à six heures du matin et il n'attend pas les gens qui sont en retard pour le départ."],
  ["es", "El barco sale del puerto a las seis de la mañana y no espera a los que llegan tarde por la lluvia."],
  ["pt", "O barco sai do porto às seis da manhã e não espera pelos que chegam tarde, mas também não parte mais cedo."],
  ["it", "La nave lascia il porto alle sei del mattino e non aspetta chi è in ritardo, anche se sono della città."],
  ["nl", "De veerboot vertrekt om zes uur uit de haven en wacht niet op mensen die te laat zijn, ook niet als het regent."],
  ["sv", "Färjan lämnar hamnen klockan sex på morgonen och väntar inte på den som är sen, även om det är kallt."],
  ["da", "Færgen forlader havnen klokken seks om morgenen og venter ikke på nogen, der kommer efter den tid, og det er også godt."],
  ["no", "Fergen forlater havnen klokken seks om morgenen og venter ikke på noen som kommer etter den tid, og det er også bra for meg."],
  ["pl", "Prom wypływa z portu o szóstej rano i nie czeka na tych, którzy się spóźnili, bo jest to dla nich tylko nauka."],
  [
    "cs",
    "Trajekt vyplouvá z přístavu v šest ráno a nečeká na ty, kteří se opozdí, protože by to nebylo pro ostatní dobré, ale jsou výjimky.",
  ],
  ["tr", "Vapur sabah altıda limandan ayrılıyor ve geç kalanlar için beklemiyor, bu çok eski bir kural ve ne olursa olsun böyle."],
  ["hu", "A komp reggel hatkor indul a kikötőből, és nem vár arra, aki elkésik, mert az nem volna jó a többieknek, de ez már így van."],
  ["fi", "Lautta lähtee satamasta kuudelta aamulla, ja se ei odota, kun joku on myöhässä, mutta niin se on ollut jo kauan."],
  ["id", "Kapal itu berangkat dari pelabuhan pada pukul enam pagi dan tidak akan menunggu orang yang terlambat karena hujan."],
  ["vi", "Chuyến phà rời cảng lúc sáu giờ sáng và không chờ những người đến muộn, dù là người của thành phố này."],
  ["ru", "Паром уходит из порта в шесть утра и не ждёт тех, кто опоздал, но он всегда возвращается к вечеру, если это возможно."],
  ["uk", "Пором виходить з порту о шостій ранку і не чекає на тих, хто спізнився, але він завжди повертається до вечора, якщо це можливо."],
  ["bg", "Фериботът тръгва от пристанището в шест сутринта и не чака тези, които са закъснели, но след това се връща и може да ги вземе."],
  ["el", "Το πλοίο φεύγει από το λιμάνι στις έξι το πρωί."],
  ["he", "המעבורת יוצאת מהנמל בשש בבוקר."],
  ["ar", "تغادر العبارة الميناء في الساعة السادسة صباحا ولا تنتظر من يتأخر عن الموعد في هذا اليوم."],
  ["fa", "کشتی ساعت شش صبح از بندر حرکت می‌کند و برای کسی که دیر برسد صبر نمی‌کند، این را همه در شهر می‌دانند."],
  ["hi", "नाव सुबह छह बजे बंदरगाह से निकलती है और देर से आने वालों के लिए नहीं रुकती है।"],
  ["th", "เรือออกจากท่าเวลาหกโมงเช้า"],
  ["ja", "フェリーは朝六時に港を出ます。遅れた人を待つことはありません。"],
  ["zh", "渡轮早上六点离开港口，不等迟到的人。"],
  ["ko", "페리는 아침 여섯 시에 항구를 떠납니다."],
];
test.each(texts)("%s is recognised", (lang, text) => expect(detectLanguage(text)?.lang).toBe(lang));

const german = texts[1]![1].repeat(6);
const english = texts[0]![1].repeat(6);
const page = (attributes: string, text: string, head = "") =>
  `<html ${attributes}><head><title>x</title>${head}</head><body><main><p>${text}</p></main></body></html>`;

test.each([
  ["what is declared and read is sure", page('lang="de-AT"', german), "https://a.example/", "de-AT", "html[lang]"],
  ["a body may declare it", `<html><body lang="de"><p>${german}</p></body></html>`, "https://a.example/", "de", "html[lang]"],
  ["nothing declared: the text decides", page("", german), "https://a.example/", "de", "content:detected"],
  [
    "og:locale where html says nothing",
    page("", german, '<meta property="og:locale" content="de_CH">'),
    "https://a.example/",
    "de-CH",
    "og:locale",
  ],
  ["a template's language does not outweigh the text", page('lang="en"', german), "https://a.example/", "de", "content:detected"],
  ["a short text does not outweigh what is declared", page('lang="en"', "Die Fähre"), "https://a.example/", "en", "html[lang]"],
  ["nonsense is passed over", page('lang="{{locale}}"', english), "https://a.example/", "en", "content:detected"],
  ["an address helps where there is no text", page("", ""), "https://a.example/fr/", "fr", "url:path"],
])("%s", (_, html, url, lang, source) => expect(extractWithSources(html, url).lang).toMatchObject({ value: lang, source }));

test("a page of nothing has no language", () => {
  expect(extractWithSources("", "https://a.example/").lang.value).toBeNull();
});
