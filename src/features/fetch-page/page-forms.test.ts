import { describe, expect, test } from "vitest";
import { mainPart } from "./page-forms.ts";

const url = "http://sail.test/manual/knots";
const lead =
  "<p>A bowline makes a loop at the end of a rope that holds under load and can still be untied by hand when the load has gone from it.</p><p>Sailors tie it to posts and rings, and climbers tie it around trees; it is among the first knots that anybody on a boat learns.</p>";
const tail =
  "<p>Wet ropes of nylon slip more than ropes of hemp, so leave an end as long as your hand, and look at the knot again once it has been loaded.</p>";
const page = (content: string, after = "") =>
  `<!doctype html><html lang="en"><head><title>Knots</title></head><body><header><nav><a href="/">Sail</a> <a href="/knots">Knots</a> <a href="/winds">Winds</a></nav></header>
   <main><article><h1>Knots</h1>${lead}${content}${tail}${after}</article></main><footer><p>© 2026 Sail. All rights reserved.</p></footer></body></html>`;

async function markdownOf(content: string, after?: string, repeated?: ReadonlySet<number>): Promise<string> {
  const bytes = Buffer.from(page(content, after));
  const part = await mainPart({
    body: { url, bytes, contentType: "text/html; charset=utf-8" },
    form: "markdown",
    title: undefined,
    repeated,
  });
  return part?.written ?? "";
}
const fence = (language: string, ...lines: string[]) => [`\`\`\`${language}`, ...lines, "```"].join("\n");

describe("the Markdown of a page's main part keeps", () => {
  test.each([
    [
      "a short command after a list",
      `<h2>Get it</h2><ul><li>Needs no keel.</li><li>Runs in any harbour.</li></ul><h2>Set up</h2><div class="highlight-sh"><div><pre>knots install\nknots tie bowline</pre></div></div>`,
      fence("sh", "knots install", "knots tie bowline"),
    ],
    [
      "lines of a brace alone where each is a box",
      `<pre><code class="language-c"><div>int tie(void)</div><div>{</div><div>  loop();</div><div>}</div></code></pre>`,
      fence("c", "int tie(void)", "{", "  loop();", "}"),
    ],
    [
      "lines that only styles end",
      `<pre><code class="hljs go"><span class="line">func tie() {</span><span class="line">  loop()</span><span class="line">}</span></code></pre>`,
      fence("go", "func tie() {", "  loop()", "}"),
    ],
    [
      "formulas for the eye",
      `<p>Its strength is <span><span style="display: none"><math><mi>s</mi></math></span><img class="mwe-math-fallback-image-inline" aria-hidden="true" src="/f.svg" alt="{\\displaystyle s=2r^{2}}"></span> of the rope.</p>`,
      "Its strength is $s=2r^{2}$ of the rope.",
    ],
    ["formulas in scripts of their own", `<script type="math/tex; mode=display">F = \\mu N</script>`, "$$F = \\mu N$$"],
    ["code without a letter", `<p>It counts down:</p><pre>3\n2\n1</pre>`, fence("", "3", "2", "1")],
    [
      "empty cells in their places",
      `<table><tr><th>Knot</th><th>Strength</th><th>Note</th></tr><tr><td>Bowline</td><td></td><td><p>Holds well.</p></td></tr><tr><td>Hitch</td><td>60 %</td><td></td></tr></table>`,
      "| Bowline |  | Holds well. |\n| Hitch | 60 % |  |",
    ],
    [
      "lists in cells",
      `<table><tr><th>Day</th><th>Crew</th></tr><tr><td>Monday</td><td><ul><li>Ada</li><li>Bea</li></ul></td></tr></table>`,
      "| Monday | - Ada<br>- Bea |",
    ],
    [
      "terms with what they mean",
      `<dl><dt>Bight</dt><dd>A bend in the rope.</dd><dt>Standing end</dt><dd>The part that carries the load, and is tied to something else.</dd><dt>Tail</dt><dd>What is left.</dd></dl>`,
      "**Bight**\n\n- A bend in the rope.",
    ],
    [
      "the names of who does what",
      `<h2>Teachers</h2><div class="cards"><div class="card"><h3>Ada Brook</h3><p>Ropes</p></div><div class="card"><h3>Ben Cole</h3><p>Sails</p></div></div>`,
      "### Ben Cole\n\nSails",
    ],
    [
      "who said it",
      `<blockquote><p>I tied my boat with it in the great storm of 1987, and found both the boat and the knot where I had left them.</p><footer>Olaf Pine, harbour master</footer></blockquote>`,
      "> Olaf Pine, harbour master",
    ],
    [
      "a picture whose caption is left out or not",
      `<figure><img src="/bowline.jpg" alt="A bowline on a ring" width="600"><figcaption>Photo: O. Pine</figcaption></figure>`,
      "![A bowline on a ring](http://sail.test/bowline.jpg)",
    ],
    [
      "a list of links that a sentence ends before",
      `<p>These books show how others tie it, from the first drawings to the knots of today:</p><ul><li><a href="/b/1">Smith</a></li><li><a href="/b/2">Steel</a></li></ul>`,
      "- [Smith](http://sail.test/b/1)\n- [Steel](http://sail.test/b/2)",
    ],
    [
      "a short section of a manual",
      `<pre>knots list</pre>${tail}<h2>See also</h2><ul><li><a href="/m/hitch">Hitch</a></li><li><a href="/m/bend">Bend</a></li></ul><h2>Notes on its strength</h2>`,
      "## See also\n\n- [Hitch](http://sail.test/m/hitch)\n- [Bend](http://sail.test/m/bend)",
    ],
    [
      "headings in boxes of their own",
      `<pre>knots list</pre><h3 class="title-link"><div class="title-name"><a href="/x">Uses</a></div></h3>`,
      "### [Uses](http://sail.test/x)\n",
    ],
    [
      "questions that unfold their answers",
      `<div role="tablist"><div role="tab"><h4><a href="#a1">Does it slip?</a></h4></div><div role="tabpanel"><p>Only when it is wet, and then no more than other knots of its kind do.</p></div></div>`,
      "#### Does it slip?\n\nOnly when",
    ],
    [
      "a name in a box of its own amid the words of an item",
      `<ul><li><span>Ask for the book of knots by </span><div class="r-7x"><a href="/w/smith">Smith</a></div><span>, which every library by the sea has on its shelves.</span></li><li>Ask a sailor, for whoever sails ties it every day and will be glad to show it.</li></ul>`,
      "Smith",
    ],
    [
      "every name of who wrote a review",
      `<h2>Reviews</h2><div class="review"><span class="author">Ada Stone</span><p>Holds well in any weather and does not kink even when it is new.</p></div><div class="review"><span class="author">Ben Cole</span><p>Too stiff for my hands, and the colour came off after a summer.</p></div>`,
      "Ben Cole\n\nToo stiff",
    ],
    [
      "a picture that a script has still to load",
      `<figure><div><div style="opacity:0"><img src="/small.jpg" width="600"></div><img alt="A loop" style="opacity:0" width="600"><noscript><img src="/loop.jpg" alt="A loop" width="600"></noscript></div></figure>`,
      "\n\n![A loop](http://sail.test/loop.jpg)\n\n",
    ],
    [
      "a picture that is shown as soon as it is loaded",
      `<center><img data-src="/loop.jpg" alt="A loop" style="opacity:0" width="600"></center>`,
      "\n\n![A loop](http://sail.test/loop.jpg)\n\n",
    ],
  ])("%s", async (_, content, part) => {
    expect(await markdownOf(content)).toContain(part);
  });

  test("one of a picture and of what stands for it where no script runs", async () => {
    const markdown = await markdownOf(
      `<p><img data-src="/loop.jpg" alt="A loop" width="600"><noscript><img src="/loop.jpg" alt="A loop" width="600"></noscript></p>`,
    );
    expect(markdown.split("loop.jpg")).toHaveLength(2);
  });

  test("its title once where a heading of a lower rank says it", async () => {
    const bytes = Buffer.from(page("").replaceAll("h1>", "h2>"));
    const part = await mainPart({
      body: { url, bytes, contentType: "text/html; charset=utf-8" },
      form: "markdown",
      title: "Knots",
      repeated: undefined,
    });
    expect(part?.written.match(/^#+ Knots$/gm)).toEqual(["# Knots"]);
  });

  test("notes to its text, wherever they stand, with their marks", async () => {
    const content = `<p>The word is older than the knot.<sup><a href="#n1" id="r1">1</a></sup> It was first drawn in a book for seamen.<sup><a href="#n2" id="r2">2</a></sup></p>`;
    const after = `<hr><ol class="small"><li id="n1">Smith 1627. <a href="#r1">↩</a></li><li id="n2"><a href="#r2">^</a> Steel 1794.</li></ol>`;
    const markdown = await markdownOf(content, after);
    expect(markdown).toContain("older than the knot.[^1] It was first drawn in a book for seamen.[^2]");
    expect(markdown).toContain("[^1]: Smith 1627.\n\n[^2]: Steel 1794.\n");
  });

  test("no heading whose content was left out", async () => {
    const markdown = await markdownOf(
      "",
      `<h2>Others also read</h2><div class="related-teasers"><a href="/a">Anchors</a> <a href="/b">Buoys</a></div>`,
    );
    expect(markdown).toMatch(/once it has been loaded\.\n$/);
  });

  test("code as it was where repeated blocks of the site are taken out", async () => {
    const code = `<pre><code><div>if (wet)</div><div>{</div><div>  wait();</div><div>}</div></code></pre>`;
    expect(await markdownOf(code, "", new Set([1]))).toContain(fence("", "if (wet)", "{", "  wait();", "}"));
  });
});

describe("the Markdown of a page's main part is without", () => {
  test.each([
    [
      "marks that link to headings",
      `<h2 id="tie">Tie it<a class="headerlink" href="#tie" title="Permalink">¶</a></h2><p>Lay a loop over the standing end, and lead the tail up through it and around.</p>`,
      /¶|#tie/,
    ],
    ["buttons that copy", `<div class="code"><pre><code>knots tie</code></pre><button class="copy-button">Copy</button></div>`, /Copy/],
    [
      "questions whether it was of help",
      `<div class="feedback"><p>Was this page helpful?</p><button>Yes</button><button>No</button></div>`,
      /helpful|Yes/,
    ],
    [
      "a list of its own headings",
      `<div class="toc"><p>On this page</p><ul><li><a href="#a">Use of it</a></li><li><a href="#b">Its strength</a></li><li><a href="#c">Its history</a></li></ul></div>`,
      /On this page|Its strength/,
    ],
    [
      "labels of forms",
      `<form action="/ask"><label for="n">Your name</label><input id="n"><label for="q">Your question</label><textarea id="q"></textarea><button>Send it</button></form>`,
      /Your name|Send it/,
    ],
    [
      "names of tabs, whose parts are all written",
      `<div><ul role="tablist"><li role="tab">npm</li><li role="tab">Yarn</li></ul><div role="tabpanel"><pre>get knots</pre></div></div>`,
      /Yarn|npm/,
    ],
    [
      "names of tabs that are labels",
      `<div class="tabbed-set"><input type="radio" id="a" name="t" checked><label for="a">npm</label><input type="radio" id="b" name="t"><label for="b">Yarn</label><div><pre>get knots</pre></div></div>`,
      /Yarn|npm/,
    ],
    ["addresses that writers gave to headings", `<h2>Commits {#commit}</h2>${tail}`, /#commit/],
  ])("%s", async (_, content, pattern) => {
    const markdown = await markdownOf(content);
    expect(markdown).toContain("Wet ropes of nylon");
    expect(markdown).not.toMatch(pattern);
  });
});

test("the text of a page's main part is what is read of it, without what its pictures show", async () => {
  const content = `<figure><img src="/loop.jpg" alt="A loop" width="600"></figure><p>Pull <img src="/left.png" alt="left"> and let go of it, and it will hold for as long as there is load on it.</p>`;
  const part = await mainPart({
    body: { url, bytes: Buffer.from(page(content)), contentType: "text/html; charset=utf-8" },
    form: "text",
    title: undefined,
    repeated: undefined,
  });
  expect(part?.written).toContain("Pull left and let go");
  expect(part?.written).not.toContain("A loop");
});
