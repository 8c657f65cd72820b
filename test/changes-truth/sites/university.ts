import { lists, noises as n, type Target } from "../noises.ts";
import { dice, type Look, NAMES, paragraphs, pick, sentence, several, type TruthSite } from "../site.ts";

/** A university department: people, courses with tables, publications, announcements; old markup of tables and divs. */
export function university(seed: number): TruthSite {
  const draw = dice(seed * 77 + 11);
  const people = several(NAMES, 10, draw).map((name, at) => ({
    path: `/people/${at + 1}`,
    title: name,
    role: pick(["Professor", "Lecturer", "Assistant", "Secretary"], draw),
    office: `B ${100 + draw(200)}`,
    hours: `${pick(["Monday", "Tuesday", "Friday"], draw)}, ${9 + draw(6)}:00`,
    bio: paragraphs(2, draw),
    papers: Array.from(
      { length: 3 + draw(3) },
      () => `${sentence(draw).slice(0, -1)}, Journal of Rivers ${1 + draw(40)} (${2015 + draw(10)})`,
    ),
  }));
  const courses = Array.from({ length: 12 }, (_, at) => ({
    path: `/courses/c${100 + at}`,
    title: `${pick(["History", "Physics", "Theory", "Methods", "Practice"], draw)} of ${pick(["rivers", "bridges", "markets", "gardens"], draw)} ${at + 1}`,
    credits: 3 + draw(6),
    room: `H${1 + draw(9)}`,
    teacher: pick(people, draw).title,
    text: paragraphs(2, draw),
    dates: Array.from(
      { length: 5 },
      (_, week) =>
        [`Week ${week + 1}`, sentence(draw).split(" ").slice(0, 5).join(" "), `${1 + draw(28)} April 2026`] as [string, string, string],
    ),
  }));
  const posts = Array.from({ length: 8 }, (_, at) => ({
    path: `/announcements?id=${at + 1}`,
    title: `Announcement ${at + 1}: ${sentence(draw).split(" ").slice(1, 5).join(" ")}`,
    text: paragraphs(2, draw),
  }));
  const tags = "hydrology statistics logic archives maps theory seminar thesis exams library".split(" ");
  const state = {
    footer: "Department of River Studies, Hall 4",
    deadline: "Applications are open until 15 June 2026.",
    links: [
      ["/people", "People"],
      ["/courses", "Courses"],
      ["/announcements", "Announcements"],
      ["/study", "Study with us"],
    ] as [string, string][],
    studyTitle: "Study with us",
    studyDescription: "All degrees of the department",
    fees: [
      ["Bachelor", 320],
      ["Master", 410],
      ["Doctorate", 150],
    ] as [string, number][],
    homeImage: "/img/hall.php?id=4",
    homeText: paragraphs(3, draw),
    ogImage: "/img/share.png",
  };
  const frame = (look: Look, title: string, body: string, more = "") => `<html lang="en"><head><title>${title}</title>${more}</head><body>
<div id="header"><table><tr><td><a href="/"><img src="/img/seal.png?v=${look.request}" alt="Seal"></a></td><td>${n.todayIs(look)}</td><td>${n.greeting(look)}</td></tr></table></div>
<table width="100%"><tr><td class="left">${state.links.map(([to, name]) => `<a href="${to}">${name}</a><br>`).join("")}${lists.tagCloud(tags, look)}${n.online(look)}</td>
<td class="content"><h1>${title}</h1>${body}</td>
<td class="right"><b>Deadline</b><p>${state.deadline}</p>${n.weatherNow(look)}${n.rates(look)}${n.quote(look)}${lists.shuffled(courses.slice(0, 4), look)}</td></tr></table>
<div id="footer"><p>${state.footer}</p>${n.hitCounter(look)}${n.requestId(look)}${n.accessed(look)}${n.loginLink(look)}</div></body></html>`;
  const list = (targets: readonly Target[]) =>
    `<ul>${targets.map(({ path, title }) => `<li><a href="${path}">${title}</a></li>`).join("")}</ul>`;
  const pages: Record<string, (look: Look) => string> = {
    "/": (look) =>
      frame(
        look,
        "River Studies",
        `<img src="${state.homeImage}&amp;v=${look.request}" alt="The hall">${state.homeText.map((each) => `<p>${each}</p>`).join("")}`,
        `<meta property="og:image" content="${state.ogImage}?t=${look.request}">`,
      ),
    "/people": (look) =>
      frame(
        look,
        "People",
        `<table>${people.map(({ path, title, role, office }) => `<tr><td><a href="${path}">${title}</a></td><td>${role}</td><td>${office}</td></tr>`).join("")}</table>`,
      ),
    "/courses": (look) => frame(look, "Courses", list(courses)),
    "/announcements": (look) => frame(look, "Announcements", list(posts)),
    "/study": (look) =>
      frame(
        look,
        state.studyTitle,
        `<p>Fees for each term:</p><table>${state.fees.map(([name, fee]) => `<tr><td>${name}</td><td>${fee} EUR</td></tr>`).join("")}</table>`,
        `<meta name="description" content="${state.studyDescription}">`,
      ),
  };
  const drawn = (look: Look): string | undefined => {
    const person = people.find(({ path }) => path === look.path);
    if (person)
      return frame(
        look,
        person.title,
        `<p>${person.role}, office ${person.office}, hours: ${person.hours}</p>${person.bio.map((each) => `<p>${each}</p>`).join("")}<h2>Papers</h2><ol>${person.papers.map((each) => `<li>${each}</li>`).join("")}</ol>`,
      );
    const course = courses.find(({ path }) => path === look.path);
    if (course)
      return frame(
        look,
        course.title,
        `<p>Room ${course.room}, ${course.credits} credits, given by ${course.teacher}</p>${course.text.map((each) => `<p>${each}</p>`).join("")}<table>${course.dates.map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join("")}</tr>`).join("")}</table>${lists.similar(courses, look)}`,
      );
    const post = posts.find(({ path }) => path === look.path);
    if (post) return frame(look, post.title, `${post.text.map((each) => `<p>${each}</p>`).join("")}${n.readCount(look)}`);
    return pages[look.path]?.(look);
  };
  const all = () => [
    ...Object.keys(pages),
    ...people.map(({ path }) => path),
    ...courses.map(({ path }) => path),
    ...posts.map(({ path }) => path),
  ];
  const on = (page: { path: string }) => [page.path];
  const edits: Record<number, () => ReturnType<TruthSite["edit"]>> = {
    2: () => {
      people[2]!.hours = "Thursday, 14:30";
      courses[3]!.dates[2]![2] = "29 April 2026";
      courses[5]!.credits += 1;
      state.homeImage = "/img/hall.php?id=5";
      return [
        { what: "office hours", on: on(people[2]!), says: "Thursday" },
        { what: "a date in a table", on: on(courses[3]!), says: "29" },
        { what: "one digit in a sentence", on: on(courses[5]!) },
        { what: "a photo whose other query changes", on: ["/"], says: "id=5" },
      ];
    },
    3: () => {
      people[4]!.papers.unshift("On the age of bridges, Journal of Rivers 41 (2026)");
      posts[1]!.text.pop();
      state.studyTitle = "Study rivers with us";
      return [
        { what: "an added paper", on: on(people[4]!), says: "age of bridges" },
        { what: "a removed paragraph", on: on(posts[1]!) },
        { what: "a reworded headline and title", on: ["/study"], says: "Study rivers" },
      ];
    },
    4: () => {
      state.fees[1]![1] = 415;
      courses[7]!.teacher = "Leslie Knope";
      state.studyDescription = "All degrees, and what they cost";
      people[6]!.office = "C 12";
      return [
        { what: "a fee, and the description", on: ["/study"], says: "415" },
        { what: "a teacher", on: on(courses[7]!), says: "Knope" },
        { what: "an office", on: [people[6]!.path, "/people"], says: "C 12" },
      ];
    },
    5: () => {
      state.footer = "Department of River Studies, Hall 5";
      state.deadline = "Applications are open until 30 June 2026.";
      state.links.splice(2, 0, ["/study?intake=winter", "Winter intake"]);
      people[7]!.bio[1] = `${people[7]!.bio[1]} She retires in autumn.`;
      courses[0]!.dates.push(["Week 6", "Field trip", "30 April 2026"]);
      return [
        { what: "a date beside all pages", on: all(), says: "30 June" },
        { what: "an address in the footer", on: all(), says: "Hall 5" },
        { what: "a link in the navigation of all pages", on: all(), says: "Winter intake" },
        { what: "a sentence", on: on(people[7]!), says: "retires" },
        { what: "an added row", on: on(courses[0]!), says: "Field trip" },
      ];
    },
    6: () => {
      people[1]!.papers.pop();
      courses[9]!.text[0] = `${courses[9]!.text[0]!.replace(/\.$/, "")}, as every year.`;
      state.ogImage = "/img/share-2026.png";
      posts[6]!.title = "Announcement 7: the library moves to Hall 2";
      return [
        { what: "a removed paper", on: on(people[1]!) },
        { what: "a reworded sentence", on: on(courses[9]!), says: "every year" },
        { what: "the picture that is shared", on: ["/"], says: "share-2026" },
        { what: "a reworded headline", on: [posts[6]!.path, "/announcements"], says: "moves to Hall 2" },
      ];
    },
  };
  return {
    name: "university",
    noises: [
      "imageBuster",
      "todayIs",
      "greeting",
      "tagCloud",
      "online",
      "weatherNow",
      "rates",
      "quote",
      "shuffled",
      "hitCounter",
      "requestId",
      "accessed",
      "loginLink",
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
