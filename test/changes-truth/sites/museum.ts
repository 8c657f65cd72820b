import { dice, type Edit, type Look, NAMES, paragraphs, pick, several, type TruthSite } from "../site.ts";

const GERMAN = new Intl.DateTimeFormat("de-DE", { weekday: "long", day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });

/** A museum in German and English. It was made after the rules were, and nobody tuned them by it: the hold-out. */
export function museum(seed: number): TruthSite {
  const draw = dice(seed * 997 + 3);
  const rooms = ["Antike", "Mittelalter", "Moderne", "Naturkunde"];
  const works = Array.from({ length: 22 }, (_, at) => ({
    path: `/werk/${200 + at}`,
    title: `${pick(["Der Reiter", "Die Brücke", "Das Boot", "Der Garten", "Die Mühle"], draw)} ${at + 1}`,
    artist: pick(NAMES, draw),
    year: 1500 + draw(480),
    room: pick(rooms, draw),
    size: `${20 + draw(90)} × ${20 + draw(90)} cm`,
    text: paragraphs(2, draw),
    image: `/bilder/${200 + at}.jpg`,
    alt: `Gemälde ${at + 1}`,
    label: `Inventar ${at + 1}, ausgestellt seit ${1980 + draw(40)}`,
  }));
  const events = Array.from({ length: 9 }, (_, at) => ({
    path: `/termine/${at + 1}`,
    title: `${pick(["Führung", "Vortrag", "Konzert", "Lesung"], draw)} ${at + 1}`,
    when: `${1 + draw(27)}. Mai 2026, ${10 + draw(9)}:30 Uhr`,
    fee: 4 + draw(20),
    places: 20 + draw(60),
    text: paragraphs(1, draw),
    speaker: pick(NAMES, draw),
  }));
  const state = {
    prices: [
      ["Erwachsene", "12,00 €"],
      ["Kinder", "4,50 €"],
      ["Familien", "25,00 €"],
    ] as [string, string][],
    hours: [
      ["Dienstag bis Freitag", "10–17 Uhr"],
      ["Samstag und Sonntag", "11–18 Uhr"],
    ] as [string, string][],
    phone: "030 555 0101",
    intro: paragraphs(2, draw),
    steps: ["Buy a ticket at the desk", "Leave your coat on the left", "Start on the second floor", "End in the garden"],
    ogTitle: "Museum am Fluss",
    lang: "de",
    newsletter: "Der Newsletter kommt viermal im Jahr.",
    pdf: [["/dateien/plan.pdf", "Lageplan"]] as [string, string][],
  };
  const ages = ["vor 2 Tagen", "vor 9 Tagen", "vor 2 Wochen", "vor 3 Wochen", "vor 4 Wochen", "vor 5 Wochen"];
  const frame = (
    { run, request, roll, weekly, day, path }: Look,
    title: string,
    body: string,
    more = "",
  ) => `<!doctype html><html lang="${state.lang}"><head><title>${title} · Museum</title>
<script src="/a.${(run * 7_654_321).toString(16)}c0ffee.js"></script>${more}</head><body class="s-${roll(1e6).toString(36)}">
<header><p>Museum am Fluss</p><p>${GERMAN.format(day)}</p><a href="/sprache?to=en&amp;from=${encodeURIComponent(path)}">English</a></header>
<nav>${["/", "/werke", "/termine", "/besuch", "/visit"].map((to) => `<a href="${to}">${to === "/" ? "Start" : to.slice(1)}</a>`).join(" · ")}</nav>
<main>${body}</main>
<aside><h4>Meistgelesen</h4><ol>${several(works, 4, weekly)
    .map((work) => `<li><a href="${work.path}">${work.title}</a></li>`)
    .join("")}</ol>
<h4>Wetter</h4><p>${pick(["heiter", "wolkig", "Regen"], weekly)}, ${4 + weekly(18)} °C</p><h4>Zitat des Tages</h4><p>${pick(["Kunst ist lang.", "Wer sucht, der sieht.", "Farben reden leise.", "Ein Bild ist ein Fenster."], roll)}</p>
<p>Telefon ${state.phone}</p><p>${state.newsletter}</p></aside>
<footer><p>${(52_000 + request * 5).toLocaleString("de-DE")} Besucher</p><p>Erzeugt am ${day.toISOString().slice(0, 10)} um ${day.toISOString().slice(11, 16)} Uhr</p><p>Session: ${roll(1e9).toString(16)}${run}f</p></footer></body></html>`;
  const list = (items: readonly { path: string; title: string }[]) =>
    `<ul>${items.map(({ path, title }) => `<li><a href="${path}">${title}</a></li>`).join("")}</ul>`;
  const rows = (table: readonly (readonly string[])[]) =>
    `<table>${table.map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join("")}</tr>`).join("")}</table>`;
  const pages: Record<string, (look: Look) => string> = {
    "/": (look) =>
      frame(
        look,
        "Start",
        `<h1>Willkommen</h1>${state.intro.map((each) => `<p>${each}</p>`).join("")}<p>Letzter Beitrag ${ages[look.run - 1]}</p>`,
        `<meta property="og:title" content="${state.ogTitle}">`,
      ),
    "/werke": (look) => frame(look, "Werke", `<h1>Werke</h1>${list(works)}`),
    "/termine": (look) =>
      frame(look, "Termine", `<h1>Termine</h1>${rows(events.map(({ path, title, when }) => [`<a href="${path}">${title}</a>`, when]))}`),
    "/besuch": (look) =>
      frame(
        look,
        "Ihr Besuch",
        `<h1>Ihr Besuch</h1><h2>Preise</h2>${rows(state.prices)}<h2>Öffnungszeiten</h2><dl>${state.hours.map(([day, time]) => `<dt>${day}</dt><dd>${time}</dd>`).join("")}</dl><h2>Dateien</h2>${list(state.pdf.map(([path, title]) => ({ path, title })))}`,
      ),
    "/visit": (look) => frame(look, "Your visit", `<h1>Your visit</h1><ol>${state.steps.map((step) => `<li>${step}</li>`).join("")}</ol>`),
  };
  const drawn = (look: Look): string | undefined => {
    const work = works.find(({ path }) => path === look.path);
    if (work)
      return frame(
        look,
        work.title,
        `<h1>${work.title}</h1><figure><img src="${work.image}?width=800&amp;rev=${look.request}" alt="${work.alt}"><figcaption>${work.label}</figcaption></figure><dl><dt>Künstler</dt><dd>${work.artist}</dd><dt>Jahr</dt><dd>${work.year}</dd><dt>Maße</dt><dd>${work.size}</dd><dt>Saal</dt><dd>${work.room}</dd></dl>${work.text.map((each) => `<p>${each}</p>`).join("")}<h3>Ähnliche Werke</h3><div>${several(
          works,
          3,
          look.weekly,
        )
          .map(({ path, title }) => `<div><a href="${path}">${title}</a></div>`)
          .join("")}</div><p>Schon ${(900 + look.request).toLocaleString("de-DE")} Mal gelesen</p>`,
      );
    const event = events.find(({ path }) => path === look.path);
    if (event)
      return frame(
        look,
        event.title,
        `<h1>${event.title}</h1><p>${event.when}</p><p>Mit ${event.speaker}. Eintritt ${event.fee} €, ${event.places} Plätze.</p>${event.text.map((each) => `<p>${each}</p>`).join("")}`,
      );
    return pages[look.path]?.(look);
  };
  const all = () => [...Object.keys(pages), ...works.map(({ path }) => path), ...events.map(({ path }) => path)];
  const edits: Record<number, () => Edit[]> = {
    2: () => {
      works[2]!.year += 1;
      state.prices[1]![1] = "5,00 €";
      events[3]!.when = "30. Mai 2026, 19:00 Uhr";
      return [
        { what: "a year", on: [works[2]!.path], says: String(works[2]!.year) },
        { what: "a price", on: ["/besuch"], says: "5,00" },
        { what: "the time of an event", on: [events[3]!.path, "/termine"], says: "19:00" },
      ];
    },
    3: () => {
      for (const event of events) event.speaker = "Leslie Knope";
      works[4]!.label = "Inventar 5, als Leihgabe";
      state.ogTitle = "Das Museum am Fluss";
      works[7]!.image = "/bilder/207-neu.jpg";
      return [
        { what: "one name on all pages of a kind", on: events.map(({ path }) => path), says: "Knope" },
        { what: "a caption", on: [works[4]!.path], says: "Leihgabe" },
        { what: "the title for social networks", on: ["/"], says: "Das Museum", isHead: true },
        { what: "a swapped picture", on: [works[7]!.path], says: "207-neu" },
      ];
    },
    4: () => {
      for (const event of events) event.speaker = "Ann Perkins";
      state.steps.splice(1, 1);
      works[9]!.alt = "Ein Reiter im Schnee";
      state.hours[0]![1] = "10–18 Uhr";
      return [
        { what: "one name on all pages of a kind, again", on: events.map(({ path }) => path), says: "Perkins" },
        { what: "a step taken out", on: ["/visit"] },
        { what: "another text for a picture", on: [works[9]!.path], says: "Schnee" },
        { what: "opening hours", on: ["/besuch"], says: "18" },
      ];
    },
    5: () => {
      state.phone = "030 555 0102";
      events[5]!.fee += 2;
      works[11]!.text.pop();
      return [
        { what: "a telephone number beside all pages", on: all(), says: "0102" },
        { what: "a fee", on: [events[5]!.path] },
        { what: "a removed paragraph", on: [works[11]!.path] },
      ];
    },
    6: () => {
      state.pdf.push(["/dateien/programm.pdf", "Programm"]);
      works[13]!.room = "Depot";
      events[1]!.places -= 1;
      state.intro[1] = `${state.intro[1]} Der Garten ist wieder offen.`;
      return [
        { what: "a new PDF", on: ["/besuch"], says: "programm.pdf" },
        { what: "a room", on: [works[13]!.path], says: "Depot" },
        { what: "one number in a sentence", on: [events[1]!.path] },
        { what: "a sentence", on: ["/"], says: "wieder offen" },
      ];
    },
  };
  return {
    name: "museum",
    noises: [
      "scriptHash",
      "bodyClass",
      "date",
      "languageLink",
      "mostRead",
      "weather",
      "quote",
      "visitors",
      "generated",
      "session",
      "age",
      "imageRevision",
      "similar",
      "readCount",
    ],
    page: (look) => {
      const body = drawn(look);
      return body === undefined ? undefined : { body, headers: { "content-type": "text/html; charset=utf-8" } };
    },
    edit: (run) => edits[run]?.() ?? [],
  };
}
