import { link } from "./layout.ts";

const events: { slug: string; month: string; title: string; text: string }[] = [
  {
    slug: "lantern-evening",
    month: "2026/11",
    title: "Lantern evening",
    text: "On the second Friday of November the children carry paper lanterns from the corn market to the boat sheds, where there is soup. Bring a mug.",
  },
  {
    slug: "repair-cafe",
    month: "2026/11",
    title: "Repair café",
    text: "Toasters, trousers and radios are mended in the fire station by people who like doing it. Spare parts can be ordered on the spot.",
  },
  {
    slug: "carol-boats",
    month: "2026/12",
    title: "Carols on the river",
    text: "The town choir sings from four lit barges which drift from the weir to the bridge. The best place to listen is the mill terrace.",
  },
];

export const eventPages = events.map((event) => ({
  path: `/events/${event.slug}`,
  title: event.title,
  text: [event.text, `Back to the ${link(`/events/${event.month}`, "calendar of the month")}.`],
}));

/** A trap: a calendar that has a month before and after every month, for ever, with nothing in nearly all of them. */
export function calendarMonth(path: string): { title: string; text: string[] } | undefined {
  const [, year, month] = /^\/events\/(\d{4,6})\/(\d\d)$/.exec(path) ?? [];
  if (!year || !month) return undefined;
  const turn = (step: number) => {
    const months = Number(year) * 12 + Number(month) - 1 + step;
    return `/events/${String(Math.floor(months / 12)).padStart(4, "0")}/${String((months % 12) + 1).padStart(2, "0")}`;
  };
  const planned = events.filter((event) => path === `/events/${event.month}`);
  const list = planned.map((event) => `- ${link(`/events/${event.slug}`, event.title)}`);
  return {
    title: `Events in ${month}/${year}`,
    text: [
      ...(list.length > 0 ? list : ["Nothing is planned for this month yet."]),
      `${link(turn(-1), "Previous month")} · ${link(turn(1), "Next month")}`,
    ],
  };
}
