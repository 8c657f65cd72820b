import { type PageHandler, type PageSpec, pagesIn } from "../serve.ts";
import { document, type House, layout, link, picture, type Sittaford, sitemap } from "./layout.ts";
import { asWindows1252, encodeAs, utf16WithMark } from "./old-encodings.ts";

const CHANGED = new Date("2026-03-02T09:00:00Z");

const shelves: [slug: string, title: string, text: string][] = [
  [
    "rivers",
    "Rivers, boats and floods",
    "From the first chart of the Wend to a manual of knots. The flood diaries of the miller's family, kept since 1811, may be read at the desk but not taken home.",
  ],
  [
    "gardens",
    "Gardens and orchards",
    "Grafting, pruning, hedges, and eleven books about plums. The seed drawer beside this shelf works like the rest of the library: take some, bring some back.",
  ],
  [
    "mysteries",
    "Mysteries",
    "Two hundred and six murders, nearly all solved. Readers are asked not to write the name of the culprit in the margin of page one.",
  ],
];

/** The library: asks for a second between requests, answers with Last-Modified, and keeps a shelf of pages in old encodings. */
export function library(web: Sittaford): PageHandler {
  const house: House = {
    name: "Sittaford Town Library",
    colour: "#7a3b2e",
    nav: [
      ["/", "Home"],
      ["/shelves/", "Shelves"],
      ["/languages/", "Languages"],
      ["/hours", "Opening hours"],
    ],
    footer: `Mill Lane 4 · A house of the ${link(`${web.townHall}/`, "town of Sittaford")}`,
  };
  const page = (title: string, text: string[], head = "") => ({ body: layout(house, title, text, { head }), lastModified: CHANGED });
  return pagesIn({
    "/robots.txt": document("text/plain", `User-agent: *\nCrawl-delay: 0.5\nDisallow: /readers/\n\nSitemap: ${web.library}/sitemap.xml\n`),
    "/sitemap.xml": document(
      "text/xml",
      sitemap(
        web.library,
        ["/", "/shelves/", "/rooms/map-room"].map((path) => [path, "2026-03-02"]),
      ),
    ),
    "/": page(
      "The library by the mill",
      [
        "Thirty thousand books, nine newspapers, a piano, and a window seat over the mill race. Cards are free for everybody who lives, works or waits for a train in Sittaford.",
        "## Look inside",
        '<p><a href="/rooms/reading-room"><img src="/pictures/reading-room.svg" alt="The reading room" width="120" height="80"></a> <a href="/rooms/childrens-corner"><img src="/pictures/corner.svg" width="120" height="80"></a></p>',
        '<p><img src="/pictures/plan.svg" usemap="#plan" alt="Plan of the house"><map name="plan"><area shape="rect" coords="0,0,60,80" href="/rooms/map-room" alt="Map room"></map></p>',
        `Your ${link("/readers/card", "card and loans")} · ${link("/new", "New this month")}`,
      ],
      '<meta property="og:title" content="The library by the mill">',
    ),
    "/hours": page("Opening hours", [
      "Tuesday to Friday from ten to six, Saturday from nine to one. During floods the ground floor moves upstairs and so do we.",
    ]),
    "/new": page("New this month", [
      "A history of the night train, a field guide to lichens, and the collected letters of two lighthouse keepers who never met.",
    ]),
    "/readers/card": page("Your card", ["This page is not for robots."]),
    "/shelves/": page(
      "Shelves",
      shelves.map(([slug, title]) => `- ${link(`/shelves/${slug}`, title)}`),
    ),
    ...Object.fromEntries(shelves.map(([slug, title, text]) => [`/shelves/${slug}`, page(title, [text])])),
    "/rooms/reading-room": page("The reading room", [
      "Eight tables, green lamps, and a rule of silence that is kept by everybody except the radiator.",
    ]),
    "/rooms/map-room": page("The map room", [
      "Flat drawers to the ceiling. The oldest sheet shows the Wend with two bends it no longer has.",
    ]),
    "/rooms/childrens-corner": { body: brokenPage, lastModified: CHANGED },
    ...Object.fromEntries(["reading-room", "corner", "plan"].map((name) => [`/pictures/${name}.svg`, picture("#d9c7b0")])),
    ...languages(house, page),
  });
}

/** Each page says its encoding in another way: by header under its Latin-1 alias, in the header, in a meta element, by a byte order mark. */
function languages(house: House, page: (title: string, text: string[]) => PageSpec): Record<string, PageSpec> {
  const sheet = (lang: string, title: string, text: string[], charset = "") =>
    layout(house, title, text, { lang, charset }).replaceAll("–", "-").replaceAll("·", "|");
  return {
    "/languages/": page("Languages", [
      "Visitors have brought us books from everywhere, and some have written a page about them, on their own machines.",
      `- ${link("/languages/francais", "Français")}`,
      `- ${link("/languages/russkij", "Русский")}`,
      `- ${link("/languages/nihongo", "日本語")}`,
      `- ${link("/languages/ellinika", "Ελληνικά")}`,
    ]),
    "/languages/francais": {
      headers: { "Content-Type": "text/html; charset=iso-8859-1" },
      body: asWindows1252(
        sheet("fr", "Le rayon français", [
          "Un œuf, un café, un livre : l’été au bord de l’eau ne coûte que 3 €. « Revenez bientôt », dit la bibliothécaire.",
        ]),
      ),
      lastModified: CHANGED,
    },
    "/languages/russkij": {
      headers: { "Content-Type": "text/html; charset=koi8-r" },
      body: encodeAs(
        "koi8-r",
        sheet("ru", "Русская полка", [
          "Зимой река замерзает, и мы читаем длинные романы. Летом река течёт, и мы читаем короткие рассказы.",
        ]),
      ),
      lastModified: CHANGED,
    },
    "/languages/nihongo": {
      headers: { "Content-Type": "text/html" },
      body: encodeAs(
        "shift_jis",
        sheet(
          "ja",
          "日本語の本棚",
          ["川のそばの小さな図書館に、日本語の本が四十冊あります。表紙の能という字が読めれば、貸し出しは無料です。"],
          "shift_jis",
        ),
      ),
      lastModified: CHANGED,
    },
    "/languages/ellinika": {
      headers: { "Content-Type": "text/html" },
      body: utf16WithMark(
        sheet("el", "Το ελληνικό ράφι", ["Δώδεκα βιβλία, ένα λεξικό και ένας χάρτης του ποταμού. Ό,τι δανείζεσαι, το επιστρέφεις στεγνό."]),
      ),
      lastModified: CHANGED,
    },
  };
}

/** Written by hand in a hurry, as much of the web is: nothing is closed, quoted or nested as it should be. */
const brokenPage = `<HTML><TITLE>Children's corner</TITLE><BODY bgcolor=#fff3d6>
<!-- the old menu <a href="/not-a-link">menu</a> --!>
<H1>The children's corner</H2>
<p>Stories on Wednesdays at three &amp puppets on <b>Saturdays <i>at</b> eleven</i>.
<ul><li><a href=/shelves/mysteries>Mysteries for small detectives<li><A HREF='/hours' title="When?>"When are we open</a>
</ul></div></div>
<p>Fish &amp; ships: <a href="/rooms/map-room?from=corner&amp;with=parents" class=">"
>the map room</a>
<table><tr><td>A tiger lives in this cell, it has no end`;
