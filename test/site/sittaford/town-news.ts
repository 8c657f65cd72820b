import { link, type Sittaford } from "./layout.ts";

export interface NewsItem {
  slug: string;
  title: string;
  date: string;
  text: string[];
}

/** The news on the front shelf. In the second edition the river has fallen and the skating notice is taken down. */
export function currentNews({ edition }: Sittaford): NewsItem[] {
  const items: NewsItem[] = [
    {
      slug: "bridge",
      title: "The Wend bridge reopens on Saturday",
      date: "2026-10-30",
      text: [
        "After eleven months of scaffolding the stone bridge over the Wend will carry traffic again from ten o'clock on Saturday. Every one of its four arches has been repointed, and the parapet is back at its old height.",
        "## What has changed",
        "The pavement on the mill side is now wide enough for two prams. Lorries above seven tonnes still have to take the northern road.",
        `The work cost less than planned; the difference is shown in ${link("/council/budget", "this year's budget")}. Questions go to the ${link("/departments/roads", "roads department")}.`,
      ],
    },
    {
      slug: "water-level",
      title: "Water level of the Wend",
      date: edition === 1 ? "2026-11-02" : "2026-11-09",
      text:
        edition === 1
          ? [
              "The gauge at the mill shows two metres and ten centimetres this morning, forty centimetres above the usual mark for November. The lower towpath is closed between the weir and the boat sheds.",
              "Sandbags can be collected from the depot until six in the evening. The next reading will be published here.",
            ]
          : [
              "The river has gone down overnight: the gauge at the mill shows one metre and fifty-five centimetres. The lower towpath is open again, though muddy, and the boat sheds have power.",
              "Thank you to everybody who helped to carry sandbags back to the depot. Readings return to their weekly rhythm.",
            ],
    },
    {
      slug: "lamp-posts",
      title: "Warm light for the old quarter",
      date: "2026-10-21",
      text: [
        "Sixty lamp posts between the corn market and the station have been given new lamps. They use a third of the electricity and are dimmed after midnight, which pleases both the treasurer and the bats.",
        `Residents who find a lamp too bright can ask for a shade from the ${link("/departments/roads", "roads department")}.`,
      ],
    },
    {
      slug: "bees",
      title: "Bees move onto the town hall roof",
      date: "2026-10-12",
      text: [
        "Three hives now stand behind the clock tower. They are looked after by the evening class in bee-keeping, and the first forty jars of honey were sold at the autumn market within an hour.",
        `The ${link("/departments/parks", "parks department")} has sown the verges along the ring road with clover and cornflower in return.`,
      ],
    },
    {
      slug: "winter-skating",
      title: "Skating on the flooded meadow",
      date: "2026-10-05",
      text: [
        "As soon as there are five nights of frost in a row the meadow behind the fire station will be flooded for skating. Boots can be hired at the kiosk, and the lamps stay on until nine.",
        "This notice comes down when the season is over.",
      ],
    },
  ];
  return edition === 1 ? items : items.filter((item) => item.slug !== "winter-skating");
}

/** Not linked from any page: only the sitemap knows it. */
export const forgottenNews: NewsItem = {
  slug: "clock-tower",
  title: "The clock tower loses four minutes",
  date: "2026-06-18",
  text: [
    "For most of June the town lived four minutes late, because a jackdaw had built its nest against the weight of the clock. The nest has been moved to a box of its own, and the time has been corrected.",
  ],
};

const past: [slug: string, title: string, text: string][] = [
  [
    "ferry-bell",
    "The ferry gets its bell back",
    "The bronze bell that called the ferryman for a century has been found in a barn and hangs again at the landing stage.",
  ],
  [
    "plum-year",
    "A record year for plums",
    "The orchard trust picked nine tonnes of plums. Jam has been made in the school kitchen for two weeks without a pause.",
  ],
  [
    "mill-wheel",
    "The mill wheel turns",
    "Volunteers have set the lower wheel of the mill in motion. On open days it grinds a sack of rye an hour.",
  ],
  [
    "snow-plough",
    "A name for the snow plough",
    "More than four hundred children voted, and the plough is called Sneezy. The runner-up was Sir Shoves.",
  ],
  [
    "weir-pass",
    "A ladder for the fish",
    "A pass of eleven small pools lets trout climb past the weir. A camera counts them, and the record is ninety in one night.",
  ],
  [
    "night-train",
    "The night train stops again",
    "For the first time in twenty years the sleeper stops in Sittaford, at nine minutes to midnight, if somebody waves.",
  ],
];

export const archivedNews: NewsItem[] = past.map(([slug, title, text], place) => ({
  slug: `archive/${slug}`,
  title,
  date: `2026-0${9 - Math.floor(place / 2)}-${place % 2 ? "08" : "22"}`,
  text: [text, `More of the same year is in the ${link("/news/archive", "archive")}.`],
}));

const PER_PAGE = 2;

/** A pagination that ends, unlike some. */
export function archivePages(): { path: string; text: string[]; head: string }[] {
  const count = Math.ceil(archivedNews.length / PER_PAGE);
  return Array.from({ length: count }, (_, before) => {
    const page = before + 1;
    const items = archivedNews.slice(before * PER_PAGE, page * PER_PAGE);
    const next = page < count ? `/news/archive?page=${page + 1}` : undefined;
    const previous = page > 1 ? `/news/archive?page=${page - 1}` : undefined;
    return {
      path: `/news/archive?page=${page}`,
      head: next ? `<link rel="next" href="${next}">` : "",
      text: [
        `Page ${page} of ${count}.`,
        ...items.map((item) => `- ${link(`/news/${item.slug}`, item.title)} (${item.date})`),
        [previous && link(previous, "Newer"), next && link(next, "Older")].filter(Boolean).join(" · "),
      ],
    };
  });
}

export function newsFeed(origin: string, items: NewsItem[]): string {
  const entries = items.map(
    (item) =>
      `<item><title>${item.title}</title><link>${origin}/news/${item.slug}</link><guid>${origin}/news/${item.slug}</guid><pubDate>${new Date(item.date).toUTCString()}</pubDate></item>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0"><channel><title>Sittaford news</title><link>${origin}/news/</link><description>What happens in town</description>\n${entries.join("\n")}\n</channel></rss>\n`;
}
