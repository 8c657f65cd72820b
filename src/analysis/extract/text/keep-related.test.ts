import { describe, expect, test } from "vitest";
import { readTree } from "../../parse/index.ts";
import { cutPage } from "./blocks.ts";
import { keepRelated } from "./keep-related.ts";

const prose =
  "A rope that is wet slips more than a dry one, so leave an end as long as your hand and look at it again once it has been loaded.";
const rows = `<tr><td>void</td><td><a href="/tie">tie_a_bowline</a> ()</td></tr><tr><td>int</td><td><a href="/untie">untie_it_under_load</a> ()</td></tr>`;

/** The kept blocks of a page whose blocks have the given probabilities, by how their texts begin; 0.9 for all others. */
function kept(html: string, likely: Readonly<Record<string, number>>): string[] {
  const cut = cutPage(readTree(`<html><body><main>${html}</main></body></html>`));
  const chanceOf = (text: string) => Object.entries(likely).find(([begin]) => text.startsWith(begin))?.[1] ?? 0.9;
  const { isKept } = keepRelated(
    cut,
    cut.blocks.map(({ text }) => chanceOf(text)),
    0.6,
  );
  return cut.blocks.filter((_, at) => isKept(at)).map(({ text }) => text);
}

describe("beside a manual's text", () => {
  test.each([
    [
      "code makes a manual of a page that it is no likely part of",
      `<p>${prose}</p><pre>knots list</pre><h2>Types</h2><p>${prose}</p>`,
      { knots: 0.2, Types: 0.35 },
      "Types",
    ],
    [
      "rows of links are kept with the others",
      `<p>${prose}</p><pre>knots list</pre><table>${rows}</table><p>${prose}</p>`,
      { void: 0.35, int: 0.2 },
      "int untie_it_under_load ()",
    ],
    [
      "tables whose columns have names are kept",
      `<p>${prose}</p><pre>knots list</pre><table><tr><th>Name</th><th>State</th></tr>${rows}</table><p>${prose}</p>`,
      { Name: 0.1, void: 0.1, int: 0.1 },
      "int untie_it_under_load ()",
    ],
    [
      "tables of which a row is kept are kept whole",
      `<p>${prose}</p><pre>knots list</pre><table>${rows}<tr><td>char</td><td><a href="/name">name_of_a_knot_by_its_number</a> ()</td></tr><tr><td>char</td><td><a href="/list">list_of_all_the_knots_there_are</a> ()</td></tr></table><p>${prose}</p>`,
      { void: 0.1, int: 0.1, "char name": 0.1, "char list": 0.7 },
      "char name_of_a_knot_by_its_number ()",
    ],
    [
      "what stands between kept parts is kept",
      `<p>${prose}</p><pre>knots list</pre><h2>Wrong</h2><p>Do not tie it twice.</p><p>Once is enough.</p><ul><li>on a post</li><li>on a ring</li></ul><h2>Right</h2><p>${prose}</p>`,
      { Wrong: 0.2, Do: 0.1, Once: 0.1, on: 0.1 },
      "Once is enough.",
    ],
    ["a heading stands in a box of its own", `<p>${prose}</p><div><div><h2>Uses</h2></div></div><p>${prose}</p>`, { Uses: 0.1 }, "Uses"],
  ])("%s", (_, html, likely, text) => expect(kept(html, likely)).toContain(text));

  test("menus of links in tables are left out", () => {
    const menu = `<table><tr><td><a href="/a">Anchors</a></td><td><a href="/b">Buoys</a></td></tr></table>`;
    expect(kept(`${menu}<p>${prose}</p><pre>knots list</pre><p>${prose}</p>`, { Anchors: 0.1 })).not.toContain("Anchors Buoys");
  });

  test("a table of values whose columns have names belongs to any text, and one of links does not", () => {
    const values = `<table><tr><th>Column</th></tr><tr><td>knot_name, as sailors write it</td></tr></table>`;
    const links = `<table><tr><th>Column</th></tr><tr><td><a href="/a">knot_name, as sailors write it</a></td></tr></table>`;
    const unlikely = { Column: 0.1, knot_name: 0.1 };
    expect(kept(`<p>${prose}</p>${values}<p>${prose}</p>`, unlikely)).toContain("knot_name, as sailors write it");
    expect(kept(`<p>${prose}</p>${links}<p>${prose}</p>`, unlikely)).not.toContain("knot_name, as sailors write it");
  });

  test.each([
    ["links to other pages", `<p><a href="/a">Anchors and how to weigh them</a></p>`, "Anchors and how to weigh them"],
    ["who wrote a post", `<div class="user-card">Bosun, 12 posts</div>`, "Bosun, 12 posts"],
    ["a button that copies", `<div>Copy</div>`, "Copy"],
  ])("between kept parts are left out: %s", (_, html, text) => {
    const page = `<p>${prose}</p><pre>knots list</pre>${html}<p>${prose}</p>`;
    expect(kept(page, { [text]: 0.1 })).not.toContain(text);
  });

  test("the title of another page is left out of what is no manual", () => {
    const teaser = `<p>${prose}</p><div><h3><a href="/storm">A storm at sea</a></h3><p>${prose}</p></div>`;
    expect(kept(teaser, { "A storm": 0.1 })).not.toContain("A storm at sea");
  });
});

describe("sections of links at the end", () => {
  const links = `<ul><li><a href="/a">Ropes</a></li><li><a href="/b">Posts</a></li></ul>`;
  const seen = { "See also": 0.1, "Related articles": 0.1, Ropes: 0.1, Posts: 0.1, Types: 0.1 };

  test.each([
    ["by their name, in any text", `<p>${prose}</p><h2>Wrong</h2><p>${prose}</p><h2>See also</h2>${links}`],
    [
      "in a section of their own",
      `<p>${prose}</p><section><h2>Wrong</h2><p>${prose}</p></section><section><h2>See also</h2>${links}</section>`,
    ],
    ["in a manual, beside other sections", `<p>${prose}</p><pre>knots list</pre><h2>Wrong</h2><p>${prose}</p><h2>Types</h2>${links}`],
  ])("are kept: %s", (_, html) => {
    expect(kept(html, seen).slice(-3)).toEqual([expect.stringMatching(/^(?:See also|Types)$/), "Ropes", "Posts"]);
  });

  test.each([
    ["links to other pages of the site", `<p>${prose}</p><h2>Wrong</h2><p>${prose}</p><h2>Related articles</h2>${links}`],
    ["a section of an article that has no such name", `<p>${prose}</p><h2>Wrong</h2><p>${prose}</p><h2>Types</h2>${links}`],
    ["a comment form", `<p>${prose}</p><p>${prose}</p><form><h2>See also</h2>${links}</form>`],
  ])("are left out: %s", (_, html) => {
    expect(kept(html, seen)).not.toContain("Ropes");
  });
});

describe("deep in a page", () => {
  const deep = (html: string) => `${"<div>".repeat(14)}${html}${"</div>".repeat(14)}`;

  test("tables of values are kept", () => {
    const table = "<table><tr><th>Way</th><th>Cost</th></tr><tr><td>poll</td><td>high</td></tr></table>";
    expect(kept(deep(`<p>${prose}</p><pre>knots list</pre><p>${prose}</p>${table}`), { Way: 0.1, poll: 0.1 })).toContain("poll high");
  });

  test("so are those made of roles", () => {
    const table =
      "<div role=table><div role=row><div role=columnheader>Way</div><div role=columnheader>Cost</div></div><div role=row><div role=cell><p>poll</p></div><div role=cell>high</div></div></div>";
    expect(
      kept(deep(`<p>${prose}</p><pre>knots list</pre><p>${prose}</p>${table}`), { Way: 0.1, Cost: 0.1, poll: 0.1, high: 0.1 }),
    ).toContain("poll");
  });

  test("what two kept blocks have around them tells nothing of the blocks between", () => {
    const post = `<div class="post-body"><p>${prose}</p><ul><li>short</li></ul><p>${prose}</p></div>`;
    expect(kept(`<pre>knots list</pre>${post}`, { short: 0.1 })).toContain("short");
  });

  test("a heading beside its link to edit is kept with its section", () => {
    const heading = `<div><h2>Use</h2><span>[<a href="/e">edit</a>]</span></div>`;
    expect(kept(`<p>${prose}</p>${heading}<p>${prose}</p>`, { Use: 0.1, "[edit": 0.1 })).toContain("Use");
  });
});
