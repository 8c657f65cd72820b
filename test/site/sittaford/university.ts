import { type PageHandler, type PageSpec, pagesIn } from "../serve.ts";
import { document, type House, layout, link, movedTo, picture, type Sittaford } from "./layout.ts";

interface Menu {
  title: string;
  url: string;
  description?: string;
}

const research: [slug: string, title: string, text: string][] = [
  [
    "rivers",
    "River research",
    "How does a slow river move a fast stone? The institute has painted four thousand pebbles, thrown them off the bridge, and looks for them every spring.",
  ],
  [
    "pollen",
    "Pollen and bees",
    "Samples from the hives on the town hall roof show what flowers in Sittaford, street by street and week by week.",
  ],
  [
    "old-maps",
    "Old maps",
    "Together with the library the geographers lay old sheets over new ones and follow the Wend through six hundred years of changing its mind.",
  ],
];

const courses: [slug: string, title: string, text: string][] = [
  ["botany", "Botany", "Six terms, the first of them outdoors. Students are expected to own boots and to know forty grasses by Easter."],
  [
    "bookbinding",
    "Bookbinding and repair",
    "Paste, thread, patience. The final work is one book of the town library, taken apart and put together again.",
  ],
  [
    "hydrology",
    "Hydrology",
    "Measuring, modelling and occasionally bailing out water. Graduates work at weirs and waterworks all along the river.",
  ],
];

/**
 * The university: a content system whose menus live in a JSON settings element and are drawn by a script, a robots.txt behind a
 * redirect, no validators at all, a slow catalogue, a forgotten copy of old pages, and relative links that never stop growing.
 */
export function university(web: Sittaford): PageHandler {
  const house: House = {
    name: "University of Sittaford",
    colour: "#3b5d3a",
    nav: [["/", "Home"]],
    footer: `Founded in a boat shed · ${link(`${web.townHall}/`, "The town")}`,
  };
  let node = 0;
  const page = (title: string, text: string[], menu: Menu[] = []) => {
    node += 1;
    return layout(house, title, text, { head: `<meta name="Generator" content="Campus 10">`, tail: settings(node, menu) });
  };
  const articles = (folder: string, list: [string, string, string][]) =>
    Object.fromEntries(list.map(([slug, title, text]) => [`/${folder}/${slug}`, page(title, [text])]));
  const menuOf = (folder: string, list: [string, string, string][]) => list.map(([slug, title]) => ({ title, url: `/${folder}/${slug}` }));

  const researchPages = articles("research", research);
  const pages: Record<string, PageSpec> = {
    "/robots.txt": movedTo("/sites/default/robots.txt"),
    "/sites/default/robots.txt": document("text/plain; charset=utf-8", "User-agent: *\nDisallow: /user/\nDisallow: /admin/\n"),
    "/": page(
      "Water, plants and paper",
      [
        "Nine hundred students, four faculties and a rowing club with a waiting list. Most of what we do has to do with water, plants or paper.",
      ],
      [
        { title: "Research", url: "/research", description: "Rivers, pollen and maps" },
        { title: "Study", url: `${web.university}/study`, description: "Our courses" },
        { title: "Catalogue of the herbarium", url: "/herbarium" },
        { title: "Campus", url: "/campus" },
        { title: "Log in", url: "/user/login" },
      ],
    ),
    "/research": page("Research", ["Three institutes share one boat, two microscopes and a coffee machine."], menuOf("research", research)),
    "/study": page(
      "Study",
      ["All courses begin in October and are taught in small groups."],
      [...menuOf("study", courses), { title: "Reading list", url: "/study/reading-list/" }],
    ),
    ...researchPages,
    ...articles("study", courses),
    // Somebody moved the site once and left the old folder in place.
    ...Object.fromEntries(Object.entries(researchPages).map(([path, body]) => [`/old-site${path}`, body])),
    "/campus": page("Campus", [
      "The campus lies between the railway and the river, ten minutes from the corn market on foot.",
      `${link("/old-site/research/rivers", "River research, before the move")}`,
      `${link("/old-site/research/pollen", "Pollen, before the move")}`,
      `${link("/old-site/research/old-maps", "Maps, before the move")}`,
    ]),
    "/herbarium": {
      delay: 1500,
      body: page("Catalogue of the herbarium", [
        "Eleven thousand pressed plants, searched one by one whenever this page is opened. Thank you for waiting.",
      ]),
    },
    "/user/login": page("Log in", ["Members of the university only."]),
    "/themes/campus/logo.svg": picture("#3b5d3a"),
  };
  // A trap: the server answers anything below this folder, and both links are relative where they should not be.
  const readingList = page("Reading list", [
    "What to read before the first term, in no order at all.",
    `${link("further/", "Further reading")} · ${link("study/reading-list/", "Back to the list")}`,
  ]);
  const find = pagesIn(pages);
  return (request) => (request.path.startsWith("/study/reading-list/") ? readingList : find(request));
}

/** PHP's way of writing JSON escapes every slash. */
function settings(node: number, menu: Menu[]): string {
  const json = {
    path: { baseUrl: "/", pathPrefix: "", currentPath: `node/${node}`, currentLanguage: "en" },
    pluralDelimiter: "\u0003",
    ajaxPageState: { libraries: "campus/menu,system/base", theme: "campus" },
    campus: { logo: "/themes/campus/logo.svg", menu: { items: menu } },
    user: { uid: 0, permissionsHash: "5f1d0c" },
  };
  const text = JSON.stringify(json).replaceAll("/", "\\/").replaceAll("<", "\\u003C");
  return `<script type="application/json" data-drupal-selector="drupal-settings-json">${text}</script>\n`;
}
