/** Links of an invented site, labelled by what they are about: 2 by name, 1 in other words, 0 by name in another sense. */
import { expect, test } from "vitest";
import { openScorer } from "./open.ts";

const keywords = ["library", "parking", "flood", "warranty", "internship", "accessibility", "annual report"];

const links = `
Borrow from the town library | /culture/library | Culture | library 2
Opening times of the reading room | /culture/reading-room | Library | library 2
Renew your books online | /culture/renew | Culture | library 1
Stadtbibliothek | /de/kultur/bibliothek | Kultur | library 1
Story hour for the little ones | /culture/library/story-hour | Culture | library 2
A standard library for embedded C | /blog/standard-library-embedded | Engineering | library 0
Residents' parking | /streets/parking/residents | Streets | parking 2
Pay a parking fine | /streets/fines | Streets | parking 2
Multi-storey garage on Mill Lane | /streets/mill-lane-garage | Streets | parking 1
Estacionamiento en el centro | /es/estacionamiento | Calles | parking 1
Parked domains | /hosting/parked-domains | Hosting | parking 0
Flood map of the river Alme | /water/flood-map | Water | flood 2
Sandbags and pumps when the river rises | /water/sandbags | Flooding | flood 2
High water: what to do | /water/high-water | Water | flood 1
Hochwasserschutz | /de/wasser/hochwasserschutz | Wasser | flood 1
A flood of good reviews | /blog/reviews-are-in | Blog | flood 0
Warranty terms | /service/warranty | Service | warranty 2
Register your mower for ten years of guarantee | /service/register-mower | Service | warranty 1
Garantie | /fr/service/garantie | Service | warranty 1
Send it in for repair | /service/repairs | Warranty & repairs | warranty 2
Internships with the parks department | /work/internships | Work with us | internship 2
Praktikum im Rathaus | /de/praktikum | Arbeiten | internship 1
Apprentice gardener | /work/apprentice-gardener | Work with us | internship 1
International partners | /about/international | About | internship 0
Accessibility of this site | /accessibility | About | accessibility 2
Step-free ways to our buildings | /visit/step-free | Accessibility | accessibility 2
Barrierefreiheit | /de/barrierefreiheit | Service | accessibility 1
Disability services | /people/disability | People | accessibility 1
Annual Report 2023 | /about/annual-report-2023.pdf | About | annual report 2
Reports of past years | /about/reports | Annual reports | annual report 2
Jahresbericht | /de/jahresbericht.pdf | Service | annual report 1
Report a broken lamp | /streets/report-a-lamp | Streets | annual report 0
Annual plants for shady beds | /parks/annual-plants | Parks | annual report 0
Mayor's greeting | /mayor | Town hall |
Waste collection days | /waste/days | Waste |
Swimming pool prices | /sport/pool | Sport |
Twin towns | /about/twin-towns | About |
Dog tax | /tax/dogs | Taxes |
Getting married here | /registry/weddings | Registry |
Weekly market | /market | Shopping |
Summer theatre | /culture/theatre | Culture |
Youth centre | /youth/centre | Young people |
Bus timetable | /streets/bus | Streets |
New playground on Oak Street | /news/oak-street-playground | News |
Cookie settings | /cookies | Footer |
Log in | /login | Footer |
Download the mower's manual | /service/manual.pdf | Service |
Spare parts shop | /shop/parts | Shop |
Our engineers' favourite tools | /blog/tools | Engineering |
Type-safe routers in forty lines | /blog/routers | Engineering |
Release 4.2 | /releases/4.2 | Engineering |
Photos of the spring fair | /news/spring-fair | News |
Choir looks for tenors | /culture/choir | Culture |
`
  .trim()
  .split("\n")
  .map((line) => {
    const [text, path, heading, about] = line.split("|").map((cell) => cell.trim()) as [string, string, string, string];
    const [, keyword, grade] = /^(.+) (\d)$/.exec(about) ?? [];
    return { text, url: `https://www.almesford.test${path}`, heading, context: text, keyword, grade: Number(grade ?? 0) };
  });

const scorer = openScorer(keywords);
const matches = links.map((link) => scorer.match(link));

interface Judged {
  readonly match: number;
  readonly grade: number;
  readonly isTrap: boolean;
}

const judged = (keyword: string): Judged[] =>
  links.map((link, at) => ({
    match: matches[at]![keywords.indexOf(keyword)]!,
    grade: link.keyword === keyword ? link.grade : 0,
    isTrap: link.keyword === keyword && link.grade === 0,
  }));

/** Among links with equal matches, unrelated ones come first. */
function averagePrecision(found: readonly Judged[]): number {
  const order = found.toSorted((a, b) => b.match - a.match || a.grade - b.grade);
  let [seen, sum] = [0, 0];
  for (const [at, { grade }] of order.entries()) if (grade > 0) sum += ++seen / (at + 1);
  return sum / seen;
}

const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

test("what is meant comes before what is not", () => {
  expect(meanOf(keywords.map((keyword) => averagePrecision(judged(keyword))))).toBeGreaterThan(0.8);
});

test("a whole match is always a link of that name", () => {
  const whole = keywords.flatMap((keyword) => judged(keyword).filter(({ match }) => match >= 0.99));
  expect(whole.length).toBeGreaterThan(2);
  expect(whole.filter(({ grade, isTrap }) => grade !== 2 && !isTrap)).toEqual([]);
});

test("unrelated links match nothing, but for a few in a hundred", () => {
  const unrelated = keywords.flatMap((keyword) => judged(keyword).filter(({ grade, isTrap }) => grade === 0 && !isTrap));
  expect(unrelated.filter(({ match }) => match >= 0.4).length / unrelated.length).toBeLessThan(0.02);
  expect(unrelated.filter(({ match }) => match === 0).length / unrelated.length).toBeGreaterThan(0.85);
});

test("most of those that only share the word stand behind the true ones", () => {
  const behind = keywords.flatMap((keyword) => {
    const found = judged(keyword);
    const named = found.filter(({ grade }) => grade === 2).map(({ match }) => match);
    const median = named.toSorted((a, b) => a - b)[Math.floor((named.length - 1) / 2)]!;
    return found.filter(({ isTrap }) => isTrap).map(({ match }) => match < median);
  });
  expect(behind.filter(Boolean).length / behind.length).toBeGreaterThan(0.5);
});
