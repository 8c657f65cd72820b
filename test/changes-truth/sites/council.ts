import { ageOf, lists, noises as n, type Target } from "../noises.ts";
import { dice, type Edit, type Look, NAMES, paragraphs, pick, sentence, several, type TruthSite } from "../site.ts";

interface News extends Target {
  title: string;
  text: string[];
  day: Date;
  author: string;
  image: string;
  alt: string;
}

/** A city council: news, minutes, staff, opening hours, budget tables; a header with a clock, a sidebar and a footer on all pages. */
export function council(seed: number): TruthSite {
  const draw = dice(seed * 31 + 5);
  const news: News[] = Array.from({ length: 14 }, (_, at) => newsItem(at));
  function newsItem(at: number): News {
    const title = `${sentence(draw).split(" ").slice(1, 7).join(" ")} (${at + 1})`;
    const day = new Date(Date.UTC(2026, 0, 5 + at * 4));
    const [text, author] = [paragraphs(4, draw), pick(NAMES, draw)];
    return {
      path: `/news/2026/${at + 1}-${title.split(" ")[0]}`,
      title,
      text,
      day,
      author,
      image: `/media/news-${at + 1}.jpg`,
      alt: `Picture of the ${title.split(" ")[0]}`,
    };
  }
  const members = several(NAMES, 9, draw);
  const minutes = Array.from({ length: 27 }, (_, at) => ({
    path: `/meetings/2025-${String(1 + (at % 12)).padStart(2, "0")}-${at + 1}/minutes`,
    title: `Minutes of meeting ${at + 1}`,
    day: `${1 + draw(27)} ${pick(["March", "April", "May", "June"], draw)} 2025`,
    absent: draw(9),
    items: several(
      [
        "Budget amendment",
        "Mill Road resurfacing",
        "Library roof",
        "Summer fair permit",
        "Water main",
        "School crossing",
        "Dog park",
        "Tram stop",
      ],
      4,
      draw,
    ),
    text: paragraphs(2, draw),
    vote: 3 + draw(6),
  }));
  const staff = several(NAMES, 8, draw).map((name, at) => ({
    path: `/staff/${name.toLowerCase().replace(" ", "-")}`,
    title: name,
    role: pick(["Clerk", "Treasurer", "City planner", "Archivist", "Registrar"], draw),
    phone: `555-01${10 + at}`,
    room: String(100 + draw(80)),
    text: paragraphs(1, draw),
    photo: `/media/staff/${at + 1}.jpg`,
  }));
  const state = {
    hours: ["Monday to Thursday: 9:00–16:30", "Friday: 9:00–12:00", "Saturday and Sunday: closed"],
    budget: Array.from(
      { length: 8 },
      (_, at) =>
        [
          `${pick(["Roads", "Schools", "Parks", "Police", "Library", "Water"], draw)} ${at + 1}`,
          120 + draw(900) / 10,
          100 + draw(900) / 10,
        ] as [string, number, number],
    ),
    emergency: "555-0199",
    footer: "12 Market Square, Northfield",
    nav: [
      ["/news", "News"],
      ["/meetings", "Meetings"],
      ["/staff", "Staff"],
      ["/hours", "Opening hours"],
      ["/budget", "Budget"],
      ["/contact", "Contact"],
    ] as [string, string][],
    pdfs: [["/files/budget-2025.pdf", "Budget 2025 (PDF)"]] as [string, string][],
    contact: ["Write to us at the town hall.", "We answer letters within ten days.", "For urgent repairs call the works yard."],
    description: "How to reach the council of Northfield",
    canonical: "/hours",
    robots: "index, follow",
    notice: "",
    homeText: paragraphs(2, draw),
    jsonPhone: "+1-555-0100",
  };
  const head = (look: Look, title: string, more = "") =>
    `<!doctype html><html lang="en"><head><title>${title}</title>${n.styleBuster(look)}${n.metaToken(look)}${n.updatedTime(look)}${n.nonce(look)}${more}</head>`;
  const frame = (look: Look, title: string, body: string, more = "") => `${head(look, `${title} – Northfield Council`, more)}
<body><header><a href="/">Northfield Council</a> ${n.clock(look)} ${n.today(look)}${n.csrf(look)}</header>
<nav><ul>${state.nav.map(([to, name]) => `<li><a href="${to}">${name}</a></li>`).join("")}</ul></nav>
${n.cookies(look)}${state.notice === "" ? "" : `<div class="notice">${state.notice}</div>`}
<main>${lists.crumbs(
    [
      { path: "/news", title: "News" },
      { path: "/meetings", title: "Meetings" },
    ],
    look,
    title,
  )}${body}<p class="tools">${n.printLink(look)}</p></main>
<aside><h3>Emergency</h3><p>Call ${state.emergency} day and night.</p>${n.weather(look)}${lists.latest(news)}${lists.mostRead(news, look)}${n.teaser(look)}</aside>
<footer><p>${state.footer}</p>${n.visitCounter(look)}${n.generated(look)}</footer></body></html>`;
  const article = (item: News, look: Look) =>
    frame(
      look,
      item.title,
      `<article><h1>${item.title}</h1><p class="byline">By ${item.author}, <time>${ageOf(item.day, look.day)}</time> · ${n.viewCount(look)}</p>
<img src="${item.image}?v=${look.run * 17}" alt="${item.alt}">${item.text.map((each) => `<p>${each}</p>`).join("\n")}</article>${lists.related(news, look)}`,
    );
  const pages: Record<string, (look: Look) => string> = {
    "/": (look) =>
      frame(
        look,
        "Home",
        `<h1>Welcome to Northfield</h1>${state.homeText.map((text) => `<p>${text}</p>`).join("")}<p><a href="/news">All news</a></p>`,
      ),
    "/news": (look) =>
      frame(look, "News", `<h1>News</h1><ul>${news.map(({ path, title }) => `<li><a href="${path}">${title}</a></li>`).join("")}</ul>`),
    "/meetings": (look) =>
      frame(
        look,
        "Meetings",
        `<h1>Meetings</h1><ul>${minutes.map(({ path, title }) => `<li><a href="${path}">${title}</a></li>`).join("")}</ul>`,
      ),
    "/staff": (look) =>
      frame(
        look,
        "Staff",
        `<h1>Staff</h1><table>${staff.map(({ path, title, role }) => `<tr><td><a href="${path}">${title}</a></td><td>${role}</td></tr>`).join("")}</table>`,
      ),
    "/hours": (look) =>
      frame(
        look,
        "Opening hours",
        `<h1>Opening hours</h1><ul>${state.hours.map((line) => `<li>${line}</li>`).join("")}</ul>`,
        `<link rel="canonical" href="${state.canonical}">`,
      ),
    "/budget": (look) =>
      frame(
        look,
        "Budget",
        `<h1>Budget</h1><table><tr><th>Item</th><th>2025</th><th>2026</th></tr>${state.budget.map(([name, a, b]) => `<tr><td>${name}</td><td>${a.toFixed(1)}</td><td>${b.toFixed(1)}</td></tr>`).join("")}</table><h2>Files</h2><ul>${state.pdfs.map(([to, name]) => `<li><a href="${to}">${name}</a></li>`).join("")}</ul>`,
      ),
    "/contact": (look) =>
      frame(
        look,
        "Contact",
        `<h1>Contact</h1>${state.contact.map((line) => `<p>${line}</p>`).join("")}`,
        `<meta name="description" content="${state.description}"><meta name="robots" content="${state.robots}"><script type="application/ld+json">{"@type":"GovernmentOffice","telephone":"${state.jsonPhone}"}</script>`,
      ),
  };
  const drawn = (look: Look): string | undefined => {
    const item = news.find(({ path }) => path === look.path);
    if (item) return article(item, look);
    const meeting = minutes.find(({ path }) => path === look.path);
    if (meeting) {
      const present = members.filter((_, at) => at !== meeting.absent).join(", ");
      return frame(
        look,
        meeting.title,
        `<h1>${meeting.title}</h1><p>Held on ${meeting.day}</p><p>Present: ${present}.</p><ol>${meeting.items.map((each) => `<li>${each}</li>`).join("")}</ol>${meeting.text.map((each) => `<p>${each}</p>`).join("")}<p>The motion was carried with ${meeting.vote} votes.</p>`,
      );
    }
    const person = staff.find(({ path }) => path === look.path);
    if (person)
      return frame(
        look,
        person.title,
        `<h1>${person.title}</h1><img src="${person.photo}" alt="${person.title}"><dl><dt>Role</dt><dd>${person.role}</dd><dt>Phone</dt><dd>${person.phone}</dd><dt>Room</dt><dd>${person.room}</dd></dl>${person.text.map((each) => `<p>${each}</p>`).join("")}`,
      );
    return pages[look.path]?.(look);
  };
  const all = () => [
    ...Object.keys(pages),
    ...news.map(({ path }) => path),
    ...minutes.map(({ path }) => path),
    ...staff.map(({ path }) => path),
  ];
  const replaceMember = (at: number, name: string): Edit => {
    members[at] = name;
    return {
      what: "a name in the minutes of many meetings",
      on: minutes.filter(({ absent }) => absent !== at).map(({ path }) => path),
      says: name,
    };
  };
  const edits: Record<number, () => Edit[]> = {
    2: () => {
      const cell = state.budget[3]!;
      cell[2] = Number((cell[2] + 0.3).toFixed(1));
      news[2]!.text.splice(1, 1);
      state.hours[1] = "Friday: 9:00–13:00";
      staff[1]!.photo = "/media/staff/1-new.jpg";
      state.pdfs.push(["/files/budget-2026.pdf", "Budget 2026 (PDF)"]);
      return [
        { what: "one number in a table, and a new PDF", on: ["/budget"], says: "Budget 2026" },
        { what: "a removed paragraph", on: [news[2]!.path] },
        { what: "opening hours", on: ["/hours"], says: "13:00" },
        { what: "a swapped photo", on: [staff[1]!.path], says: "1-new" },
        { ...replaceMember(2, "Donna Meagle") },
      ];
    },
    3: () => {
      minutes[4]!.vote += 1;
      news[5]!.alt = "The mayor at the new bridge";
      state.description = "Addresses and telephone numbers of the council";
      return [
        { what: "one number in a sentence", on: [minutes[4]!.path], says: String(minutes[4]!.vote) },
        { what: "alt text alone", on: [news[5]!.path], says: "mayor" },
        { what: "description alone", on: ["/contact"], says: "Addresses" },
        { ...replaceMember(2, "Ann Perkins") },
      ];
    },
    4: () => {
      const old = news[7]!.title;
      news[7]!.title = "Council votes for a second bridge";
      state.canonical = "/opening-hours";
      state.robots = "noindex, follow";
      state.budget.push(["Trams 9", 45.5, 61.2]);
      staff[3]!.phone = "555-0177";
      const added = newsItem(news.length);
      news.push(added);
      return [
        { what: `a reworded headline (${old})`, on: [news[7]!.path], also: ["/news"], says: "second bridge" },
        { what: "canonical alone", on: ["/hours"], says: "opening-hours", isHead: true },
        { what: "noindex alone", on: ["/contact"], says: "noindex", isHead: true },
        { what: "an added row", on: ["/budget"], says: "Trams 9" },
        { what: "a phone number", on: [staff[3]!.path], says: "555-0177" },
        { what: "a new article", on: ["/news", added.path] },
      ];
    },
    5: () => {
      state.emergency = "555-0142";
      state.footer = "14 Market Square, Northfield";
      const away = staff.pop()!;
      state.notice = "The town hall is closed on Monday.";
      state.jsonPhone = "+1-555-0111";
      return [
        { what: "an address in the footer of all pages, and a notice", on: all(), says: "14 Market Square" },
        { what: "a number in the sidebar of all pages", on: all(), says: "555-0142" },
        { what: "a person who left", on: [away.path, "/staff"] },
        { what: "structured data alone", on: ["/contact"], says: "0111" },
      ];
    },
    6: () => {
      state.contact[1] = "We answer letters within twelve days.";
      minutes[11]!.text.push("The chair thanked all who came.");
      staff[0]!.role = "Head of department";
      state.homeText[0] = `${state.homeText[0]} The pool is open again.`;
      return [
        { what: "one word of a sentence", on: ["/contact"], says: "twelve" },
        { what: "an added paragraph", on: [minutes[11]!.path], says: "chair thanked" },
        { what: "a role", on: [staff[0]!.path, "/staff"], says: "Head of department" },
        { what: "a sentence on the home page", on: ["/"], says: "pool is open" },
      ];
    },
  };
  return {
    name: "council",
    noises: [
      "styleBuster",
      "metaToken",
      "updatedTime",
      "nonce",
      "clock",
      "today",
      "csrf",
      "cookies",
      "crumbs",
      "printLink",
      "weather",
      "latest",
      "mostRead",
      "teaser",
      "visitCounter",
      "generated",
      "ageOf",
      "viewCount",
      "imageBuster",
      "related",
    ],
    page: (look) => {
      const body = drawn(look);
      return body === undefined ? undefined : { body, headers: { "content-type": "text/html; charset=utf-8" } };
    },
    edit: (run) => edits[run]?.() ?? [],
  };
}
