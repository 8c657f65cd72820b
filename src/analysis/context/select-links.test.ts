import { describe, expect, test } from "vitest";
import { relevanceOf, type SeenLink } from "./relevance.ts";
import { scoreLinks, selectLinks } from "./select-links.ts";

const link = (url: string, text: string, position = 0, more: Partial<SeenLink> = {}): SeenLink => ({
  url: new URL(url, "https://www.example.org/").href,
  text,
  title: "",
  heading: "",
  block: text,
  rel: "",
  position,
  ...more,
});

describe("a link of a front page", () => {
  test.each([
    ["says so in its words", link("/p/1", "Features"), 0.6, 1],
    ["says so in its address", link("/docs/concepts", "Read on"), 0.4, 0.8],
    ["says so on another host of the site", link("https://docs.example.org/", "Documentation"), 0.5, 1],
    ["says so in German", link("/ueber-uns", "Über uns"), 0.6, 1],
    ["says so in French", link("/fr/fonctionnalites", "Fonctionnalités"), 0.6, 1],
    ["says so in Spanish", link("/como-funciona", "Cómo funciona"), 0.6, 1],
    ["is for customers", link("/login", "Log in"), 0, 0.1],
    ["is small print", link("/legal/privacy", "About privacy"), 0, 0.39],
    ["is news", link("/blog/2024/05/our-ten-favourite-features", "Our ten favourite features of this spring"), 0, 0.39],
    ["leads elsewhere", link("https://elsewhere.example/", "Partner"), 0, 0.3],
    ["leads back", link("/", "Home"), 0, 0],
    ["leads to a file", link("/features.zip", "Features"), 0, 0],
    ["is no address of the web", { ...link("/", "Features"), url: "mailto:a@b.example" }, 0, 0],
  ])("%s", (_, seen, least, most) => {
    const { score } = relevanceOf(seen, { rootUrl: "https://www.example.org/", links: 10 });
    expect(score).toBeGreaterThanOrEqual(least);
    expect(score).toBeLessThanOrEqual(most);
  });

  test("is worth more where a keyword applies, and less where its author would not vouch for it", () => {
    const view = { rootUrl: "https://www.example.org/", links: 10 };
    const plain = relevanceOf(link("/x", "Harbours"), view).score;
    expect(relevanceOf(link("/x", "Harbours"), { ...view, match: () => 0.8 }).score).toBeCloseTo(plain + 0.4);
    expect(relevanceOf(link("/features", "Features", 0, { rel: "nofollow" }), view).score).toBeLessThan(
      relevanceOf(link("/features", "Features"), view).score,
    );
  });
});

describe("selection", () => {
  const scored = (url: string, score: number, position = 0) => ({ url, score, position });

  test("takes the best that reach the score, sorted, as absolute addresses", () => {
    const links = [scored("contact.html", 0.3), scored("about.html", 0.8), scored("products.html", 0.9)];
    const selected = selectLinks(links, "https://example.com", { maxLinks: 2, minScore: 0.5 });
    expect(selected.map(({ url }) => url)).toEqual(["https://example.com/products.html", "https://example.com/about.html"]);
  });

  test.each([
    ["a page is taken once, whatever its fragment and campaign", ["/a", "/a#b", "/a?utm_source=x", "/b"], ["/a", "/b"]],
    ["ties are broken by position", ["/z", "/a"], ["/z", "/a"]],
  ])("%s", (_, urls, expected) => {
    const links = urls.map((url, at) => scored(url, 0.7, at));
    const selected = selectLinks(links.toReversed(), "https://example.com/", { maxLinks: 5, minScore: 0.4 });
    expect(selected.map(({ url }) => new URL(url).pathname)).toEqual(expected);
  });

  test("ties at one position are broken by address, so that two runs choose the same", () => {
    const both = [scored("/b", 0.7), scored("/a", 0.7)];
    const paths = (links: typeof both) => selectLinks(links, "https://example.com/", { maxLinks: 1, minScore: 0 }).map(({ url }) => url);
    expect(paths(both)).toEqual(paths(both.toReversed()));
  });

  test("does not spend all places on one manual", () => {
    const manual = Array.from({ length: 30 }, (_, at) => link(`/docs/guide-${at}`, `Guide ${at}`, at));
    const links = [...manual, link("/about", "About us", 40), link("/features", "Features", 41), link("/glossary", "Glossary", 42)];
    const chosen = selectLinks(scoreLinks(links, { rootUrl: "https://www.example.org/" }), "https://www.example.org/", {
      maxLinks: 5,
      minScore: 0.4,
    });
    expect(chosen.map(({ url }) => new URL(url).pathname)).toEqual(expect.arrayContaining(["/about", "/features", "/glossary"]));
  });
});

describe("of a front page as they are", () => {
  test.each([
    [
      "a university: what it teaches and is, not who logs in",
      ["/login Log in", "/about About the university x", "/studium/programmes Programmes", "/news/2024/03/x Spring news", "/jobs Jobs"],
      ["/about", "/studium/programmes"],
    ],
    [
      "a German shop",
      ["/warenkorb Warenkorb", "/ueber-uns Über uns", "/funktionen Funktionen", "/impressum Impressum", "/glossar Glossar", "/agb AGB"],
      ["/funktionen", "/ueber-uns", "/glossar"],
    ],
    [
      "a service: no prices before explanations",
      ["/pricing Pricing", "/features Features", "/how-it-works How it works", "/signup Sign up free", "/customers/acme Acme story"],
      ["/features", "/how-it-works", "/pricing"],
    ],
  ])("%s", (_, written, expected) => {
    const links = written.map((line, at) => link(line.split(" ", 1)[0]!, line.slice(line.indexOf(" ") + 1), at));
    const scored = scoreLinks(links, { rootUrl: "https://www.example.org/" });
    const chosen = selectLinks(scored, "https://www.example.org/", { maxLinks: 5, minScore: 0.4 }).map(({ url }) => new URL(url).pathname);
    expect(new Set(chosen)).toEqual(new Set(expected));
  });
});
