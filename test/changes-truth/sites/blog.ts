import { ageOf, lists, noises as n } from "../noises.ts";
import { dice, type Look, NAMES, paragraphs, pick, sentence, several, type TruthSite } from "../site.ts";

/** A blog: posts with comments and ages, a list of the newest, tags, an archive, numbers of shares. */
export function blog(seed: number): TruthSite {
  const draw = dice(seed * 53 + 29);
  const tags = "travel bread rivers maps trains winter books gardens".split(" ");
  const posts = Array.from({ length: 20 }, (_, at) => ({
    path: `/2026/${String(1 + Math.floor(at / 10)).padStart(2, "0")}/${sentence(draw).split(" ").slice(1, 4).join("-")}-${at + 1}.html`,
    title: `${sentence(draw).split(" ").slice(0, 6).join(" ")} ${at + 1}`,
    day: new Date(Date.UTC(2026, 0, 8 + at * 2)),
    author: pick(NAMES.slice(0, 3), draw),
    text: paragraphs(5, draw),
    tags: several(tags, 2, draw),
    comments: Array.from({ length: draw(4) }, () => ({
      by: pick(NAMES, draw),
      text: sentence(draw),
      day: new Date(Date.UTC(2026, 1, 20 + draw(7))),
    })),
    list: several(["flour", "salt", "water", "yeast", "butter", "sugar", "milk"], 5, draw),
  }));
  const state = {
    about: paragraphs(3, draw),
    tagline: "Slow trains and good bread",
    title: "About me",
    mail: "hello@slow.test",
    blogroll: [
      ["https://a-friend.test/", "A friend"],
      ["https://b-friend.test/", "Another friend"],
    ] as [string, string][],
  };
  const frame = (
    look: Look,
    title: string,
    body: string,
    more = "",
  ) => `<!doctype html><html lang="en"><head><title>${title}</title>${n.nonce(look)}${n.updatedTime(look)}${more}</head><body>
<div class="top"><a href="/">Slow</a><p>${state.tagline}</p></div>${body}
<div class="side"><h4>Newest</h4><ul>${posts
    .slice(-5)
    .reverse()
    .map(({ path, title }) => `<li><a href="${path}">${title}</a></li>`)
    .join(
      "",
    )}</ul><h4>Friends</h4><ul>${state.blogroll.map(([to, name]) => `<li><a href="${to}">${name}</a></li>`).join("")}</ul>${n.poll(look)}${lists.tagCloud(tags, look)}${n.month(look)}</div>
<div class="rail">${n.quoteOfDay(look)}${n.styleName(look)}</div>
<div class="bottom">${n.timestamp(look)}<a href="/about">About</a> ${n.visitCounter(look)}</div></body></html>`;
  const pages: Record<string, (look: Look) => string> = {
    "/": (look) =>
      frame(
        look,
        "Slow",
        posts
          .map(({ path, title, day }) => `<article><h2><a href="${path}">${title}</a></h2><p>${ageOf(day, look.day)}</p></article>`)
          .join(""),
      ),
    "/about": (look) =>
      frame(
        look,
        state.title,
        `<main><h1>About</h1>${state.about.map((each) => `<p>${each}</p>`).join("")}<p>Write to ${state.mail}</p></main>`,
      ),
    ...Object.fromEntries(
      tags.map((tag) => [
        `/tag/${tag}`,
        (look: Look) =>
          frame(
            look,
            tag,
            `<h1>${tag}</h1><ul>${posts
              .filter((post) => post.tags.includes(tag))
              .map(({ path, title }) => `<li><a href="${path}">${title}</a></li>`)
              .join("")}</ul>`,
          ),
      ]),
    ),
  };
  const drawn = (look: Look): string | undefined => {
    const post = posts.find(({ path }) => path === look.path);
    if (!post) return pages[look.path]?.(look);
    return frame(
      look,
      post.title,
      `<article><h1>${post.title}</h1><p>${ageOf(post.day, look.day)} by ${post.author} · ${n.shares(look)}</p>${post.text.map((each) => `<p>${each}</p>`).join("")}<ul>${post.list.map((each) => `<li>${each}</li>`).join("")}</ul><p>Tags: ${post.tags.join(", ")}</p></article>
<h3>Comments</h3>${post.comments.map(({ by, text, day }) => `<div class="comment"><p>${by}, ${ageOf(day, look.day)}</p><p>${text}</p></div>`).join("")}${n.replies(look)}${lists.trail(posts, look)}${lists.cards(posts, look)}${lists.related(posts, look)}${n.readCount(look)}`,
      `<meta property="article:modified_time" content="${look.day.toISOString()}">`,
    );
  };
  const all = () => [...Object.keys(pages), ...posts.map(({ path }) => path)];
  const on = (at: number) => [posts[at]!.path];
  const edits: Record<number, () => ReturnType<TruthSite["edit"]>> = {
    2: () => {
      posts[3]!.comments.push({ by: "Ron Swanson", text: "I ate two loaves.", day: new Date(Date.UTC(2026, 2, 9)) });
      posts[6]!.list[2] = "rye flour";
      posts[9]!.text[2] = posts[9]!.text[2]!.replace(/\.$/, ", says the baker.");
      return [
        { what: "a comment", on: on(3), says: "two loaves" },
        { what: "one entry of a list", on: on(6), says: "rye" },
        { what: "the end of a sentence", on: on(9), says: "baker" },
      ];
    },
    3: () => {
      const old = posts[11]!.author;
      posts[11]!.author = "Leslie Knope";
      posts[1]!.list.pop();
      return [
        { what: `an author (${old})`, on: on(11), says: "Knope" },
        { what: "an entry taken out of a list", on: on(1) },
      ];
    },
    4: () => {
      state.tagline = "Slow trains and better bread";
      state.title = "About me and my trains";
      posts[13]!.tags = ["books", "trains"];
      posts[14]!.text.splice(2, 1);
      state.blogroll.push(["https://c-friend.test/", "A third friend"]);
      return [
        { what: "a word at the top of all pages", on: all(), says: "better" },
        { what: "title alone", on: ["/about"], says: "my trains", isHead: true },
        { what: "tags", on: on(13), also: tags.map((tag) => `/tag/${tag}`) },
        { what: "a removed paragraph", on: on(14) },
        { what: "a link to a friend beside all pages", on: all(), says: "third friend" },
      ];
    },
    5: () => {
      state.mail = "mail@slow.test";
      posts[16]!.comments = [];
      posts[16]!.text[0] = `Corrected: ${posts[16]!.text[0]}`;
      return [
        { what: "an address", on: ["/about"], says: "mail@slow.test" },
        { what: "a correction", on: on(16), says: "Corrected" },
      ];
    },
    6: () => {
      posts[2]!.title = "How to bake in a train";
      posts[8]!.text[4] = posts[8]!.text[4]!.replace("river", "canal").replace("bridge", "viaduct").replace("The", "That");
      return [
        { what: "a reworded headline", on: [...on(2), "/"], also: tags.map((tag) => `/tag/${tag}`), says: "in a train" },
        { what: "one word of a paragraph", on: on(8) },
      ];
    },
  };
  return {
    name: "blog",
    noises: [
      "month",
      "quoteOfDay",
      "styleName",
      "replies",
      "trail",
      "cards",
      "nonce",
      "updatedTime",
      "poll",
      "tagCloud",
      "timestamp",
      "visitCounter",
      "ageOf",
      "shares",
      "related",
      "readCount",
      "modifiedTime",
      "newest",
    ],
    page: (look) => {
      const body = drawn(look);
      return body === undefined ? undefined : { body, headers: { "content-type": "text/html; charset=utf-8" } };
    },
    edit: (run) => edits[run]?.() ?? [],
  };
}
