import { gzipSync } from "node:zlib";
import { type PageHandler, type PageSpec, pagesIn } from "../serve.ts";
import { councilPages } from "./council.ts";
import { document, type House, layout, link, movedTo, type Sheet, type Sittaford, sitemap } from "./layout.ts";
import { calendarMonth, eventPages } from "./town-events.ts";
import { archivedNews, archivePages, currentNews, forgottenNews, newsFeed } from "./town-news.ts";

/**
 * The town hall: robots.txt with longest match, a sitemap index with a packed part, ETags, redirects of three kinds, a paginated
 * archive that ends and a calendar that does not.
 */
export function townHall(web: Sittaford): PageHandler {
  const house: House = {
    name: "Town of Sittaford",
    colour: "#28536b",
    nav: [
      ["/", "Home"],
      ["/news/", "News"],
      ["/council/", "Council"],
      ["/departments/", "Departments"],
      ["/events/", "Events"],
      ["/contact", "Contact"],
    ],
    footer: `Town hall, Corn Market 1 · ${link(`${web.library}/`, "Town library")} · ${link(`${web.university}/`, "University")}`,
  };
  const page = (title: string, text: string[], sheet?: Sheet) => ({ body: layout(house, title, text, sheet), etag: true });
  const find = pagesIn({
    ...frontPages(web, page),
    ...newsPages(web, page),
    ...councilPages(house),
    ...departments(page),
    ...Object.fromEntries(eventPages.map(({ path, title, text }) => [path, page(title, text)])),
    ...forRobots(web),
  });
  return (request) => {
    const month = calendarMonth(request.path);
    return month ? page(month.title, month.text) : find(request);
  };
}

type Page = (title: string, text: string[], sheet?: Sheet) => PageSpec;

function frontPages(web: Sittaford, page: Page): Record<string, PageSpec> {
  const home = page(
    "Welcome to Sittaford",
    [
      "A small town on a slow river, with a bridge, a mill, a library and more geese than strictly needed. This is the place to find out when your bins are emptied, what the council decided, and where the lanterns start.",
      "## This week",
      `- ${link("/news/bridge?utm_source=front-page&utm_medium=teaser", "The Wend bridge reopens on Saturday")}`,
      `- ${link("/news/water-level", "Water level of the Wend")}`,
      `- ${link("/events/lantern-evening#soup", "Lantern evening, with soup")}`,
      "## Often looked for",
      `- ${link("/bins", "When are the bins emptied?")}`,
      `- ${link("/townhall", "Opening hours of the town hall")}`,
      `- ${link("/old-council.html", "The council's old page")}`,
      `- ${link("/ring/east", "Walks on the ring path")}`,
      `- ${link(`${web.shop}/`, "Spare parts for nearly everything")}`,
      `- ${link("https://museum.sittaford.example/", "The museum")} (not part of the town's pages)`,
    ],
    {
      description: "News, council, departments and events of the town of Sittaford",
      head: `<link rel="canonical" href="${web.townHall}/">`,
    },
  );
  return {
    "/": home,
    "/index.html": home,
    "/townhall": movedTo("/contact"),
    "/bins": movedTo("/rubbish", 302),
    "/rubbish": movedTo(`${web.townHall}/departments/waste/`, 302),
    "/ring/east": movedTo("/ring/west", 302),
    "/ring/west": movedTo("/ring/east", 302),
    "/events/": page("Events", [`What happens when: ${link("/events/2026/11", "November")}, ${link("/events/2026/12", "December")}.`]),
    "/contact": page("Contact", [
      "The town hall is open from eight to noon, on Thursdays until six.",
      `Write to <a href="mailto:hello@sittaford.example">hello@sittaford.example</a>, ring <a href="tel:+990123456">0123 456</a>, or <a href="javascript:window.print()">print this page</a> and bring it along.`,
      `Our pages can still be read at ${link(`${web.oldAddress}/`, "their old address")}, and the front page as ${link("/index.html", "index.html")}.`,
      `${link("/canteen", "Menu of the staff canteen")} · ${link("/search?q=geese", "Search")} · ${link("/brass-band", "Brass band")}`,
    ]),
    "/canteen": page("Canteen", ["Monday: pea soup. Tuesday: pea soup, thicker."], { head: '<meta name="robots" content="noindex">' }),
    "/search": page("Search", ["The search is closed to robots."]),
  };
}

function newsPages(web: Sittaford, page: Page): Record<string, PageSpec> {
  const items = currentNews(web);
  const feed = '<link rel="alternate" type="application/rss+xml" title="Sittaford news" href="/news/feed.xml">';
  const archive = archivePages();
  return {
    "/news/": page(
      "News",
      [
        ...items.map((item) => `- ${link(`/news/${item.slug}`, item.title)} (${item.date})`),
        `Older news is in the ${link("/news/archive?page=1", "archive")}.`,
      ],
      { head: feed },
    ),
    "/news/feed.xml": document("application/rss+xml; charset=utf-8", newsFeed(web.townHall, items)),
    "/news/archive": movedTo("/news/archive?page=1"),
    ...Object.fromEntries(archive.map(({ path, text, head }) => [path, page("News archive", text, { head })])),
    ...Object.fromEntries(
      [...items, ...archivedNews, forgottenNews].map((item) => [
        `/news/${item.slug}`,
        page(item.title, [`<p><time datetime="${item.date}">${item.date}</time></p>`, ...item.text]),
      ]),
    ),
  };
}

function departments(page: Page): Record<string, PageSpec> {
  return {
    "/departments/": page("Departments", [
      `- ${link("roads", "Roads and bridges")}`,
      `- ${link("./parks", "Parks and cemeteries")}`,
      `- ${link("../departments/waste/", "Waste and recycling")}`,
      `- ${link("//", "A link somebody never finished")}`,
    ]),
    "/departments/roads": page("Roads and bridges", [
      "Forty-one kilometres of road, nine bridges and one ford, which is closed to cars whenever the gauge shows more than a metre.",
      "Potholes reported before noon are looked at on the same day. Filling them takes longer.",
    ]),
    "/departments/parks": page("Parks and cemeteries", [
      "The parks department plants, mows (seldom), waters and rescues kites. The gates of the rose garden are shut at dusk; please whistle if you are still inside.",
    ]),
    "/departments/waste/": page(
      "Waste and recycling",
      [
        "Paper on Mondays, glass on the first Thursday, everything else on Fridays before seven.",
        `- ${link("depot", "The depot and its opening hours")}`,
        `- ${link("calendar", "The collection calendar")}`,
      ],
      { head: '<base href="/departments/recycling/">' },
    ),
    "/departments/recycling/depot": page("The depot", [
      "Open on Wednesdays and Saturdays. Bring garden waste loose, and take a bag of compost home.",
    ]),
    "/departments/recycling/calendar": page("The collection calendar", [
      "In weeks with a holiday everything moves one day back, except the glass, which nobody can explain.",
    ]),
  };
}

function forRobots(web: Sittaford): Record<string, PageSpec> {
  const xml = "application/xml; charset=utf-8";
  const news = [...currentNews(web), forgottenNews].map((item): [string, string] => [`/news/${item.slug}`, item.date]);
  const council: [string, string][] = [
    ["/council/", "2026-10-14"],
    ["/council/budget", "2026-10-01T08:30:00+00:00"],
    ["/council/minutes/2026-10-14", "2026-10-16"],
  ];
  const parts = ["/sitemap-news.xml", "/sitemap-council.xml.gz"].map((path) => `<sitemap><loc>${web.townHall}${path}</loc></sitemap>`);
  return {
    "/robots.txt": document(
      "text/plain",
      `# Welcome. The longest rule wins.\nUser-agent: *\nDisallow: /internal/\nAllow: /internal/annual-report$\nDisallow: /search\nDisallow: /*?print=\n\nUser-agent: greedybot\nDisallow: /\n\nSitemap: ${web.townHall}/sitemap.xml\n`,
    ),
    "/sitemap.xml": document(
      xml,
      `<?xml version="1.0" encoding="UTF-8"?>\n<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${parts.join("\n")}\n</sitemapindex>\n`,
    ),
    "/sitemap-news.xml": document(xml, sitemap(web.townHall, news)),
    "/sitemap-council.xml.gz": document("application/gzip", gzipSync(sitemap(web.townHall, council))),
  };
}
