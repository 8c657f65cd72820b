import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { renderHtml } from "./index.ts";

const base = "https://example.org/dir/page";
const render = (html: string, part: "main" | "whole" = "main", title?: string) => renderHtml(html, { base, charset: "utf-8", title, part });
const lines = (...text: string[]) => `${text.join("\n")}\n`;

describe("HTML as Markdown", () => {
  test.each([
    ["headings have their rank", "<h1>A <em>b</em></h1><h3>C</h3>", lines("# A *b*", "", "### C")],
    ["number signs at the end of a heading stay text", "<h2>C #</h2>", lines("## C \\#")],
    ["paragraphs are set apart, whether closed or not", "<p>one<p>two</p><div>three</div>", lines("one", "", "two", "", "three")],
    ["white space is folded", "<p> a \n\t b&nbsp;<b> c </b> d</p>", lines("a b **c** d")],
    ["emphasis and strike", "<p><b>b</b> <i>i</i> <strong><em>both</em></strong> <del>d</del>", lines("**b** *i* ***both*** ~~d~~")],
    ["emphasis that would not end is left out", "<p><b>x:</b>y and z<b>(w)</b>", lines("x:y and z(w)")],
    ["two that touch are one", "<p><b>a</b><b>b</b>", lines("**ab**")],
    ["emphasis in itself and around nothing is none", "<p><b>a<strong>b</strong></b><i> </i>c", lines("**ab** c")],
    [
      "powers are told from digits, and other raised or lowered letters belong to their word",
      "<p>10<sup>6</sup> m<sup>2</sup> <i>x</i><sup><i>n</i></sup> s<sup>-1</sup> H<sub>2</sub>O 1<sup>st</sup> M<sup>me</sup> <sup>1</sup>a",
      lines("10^6 m^2 *x*^*n* s^-1 H2O 1st Mme 1a"),
    ],
    ["the mark of a footnote is its link", "<p>a<sup><a href=/x>1</a></sup>", lines("a[1](https://example.org/x)")],
    [
      "formulas are what their writer wrote, once",
      "<p>so <span class=katex><span class=katex-mathml><math><semantics><mrow><mi>x</mi><mo>&lt;</mo></mrow><annotation encoding='application/x-tex'>x_1 &lt; {y}^2</annotation></semantics></math></span><span class=katex-html aria-hidden=true>x1</span></span>.",
      lines("so $x_1 \\lt {y}^2$."),
    ],
    [
      "or what they look like, if that is all there is",
      "<p>so <span class=katex><span class=katex-html aria-hidden=true><span>x</span>=1</span></span>.",
      lines("so x=1."),
    ],
    ["or what is said of them", "<p>a <math alttext='x_1 + y*'><mi>x</mi></math> b", lines("a x_1 + y\\* b")],
    [
      "or their letters",
      "<p>a <math><mi>x</mi> <mo>+</mo> <mn>1</mn><annotation encoding=other>q</annotation></math> b",
      lines("a x + 1 b"),
    ],
    [
      "and no tags or links of their own",
      "<math><annotation encoding='application/x-tex'>&lt;script>[a](javascript:b)</annotation></math>",
      lines("$\\lt script>[a] (javascript:b)$"),
    ],
    [
      "or of fractions, roots and the like, as TeX",
      "<math><mfrac><mn>1</mn><msqrt><mi>x</mi></msqrt></mfrac><mo>=</mo><msubsup><mi>y</mi><mn>0</mn><mrow><mi>n</mi><mo>+</mo><mn>1</mn></mrow></msubsup></math>",
      lines("$\\frac{1}{\\sqrt{x}}=y_{0}^{n+1}$"),
    ],
    [
      "formulas for a script to draw",
      "<p>so \\(a_1*b\\), $$\\frac{c}{d}$$ and $\\alpha$, for $5 or $6_",
      lines("so $a_1*b$, $$\\frac{c}{d}$$ and $\\alpha$, for $5 or $6\\_"),
    ],
    [
      "formulas in scripts",
      "<p>so <script type='math/tex'>a_1 &lt; b</script><script type='math/tex; mode=display'>c^2</script>",
      lines("so $a_1 &lt; b$$$c^2$$"),
    ],
    [
      "a picture of a formula is its TeX",
      "<p>a <img class=mwe-math-fallback-image-inline src=/x.svg alt='{\\displaystyle c^{2}}'> b",
      lines("a $c^{2}$ b"),
    ],
    ["a break is a break, two a paragraph", "<p>a<br>b<br><br>c<br>", lines("a  ", "b", "", "c")],
    ["lists, and lists in lists", "<ul><li>a<ul><li>b<li>c</ul><li>d</ul>", lines("- a", "  - b", "  - c", "- d")],
    ["numbers begin where they should", "<ol start=9><li>a<li>b<ol><li>c</ol></ol>", lines("9. a", "10. b", "    1. c")],
    ["numbers may count down", "<ol reversed><li>a<li>b<li>c</ol>", lines("3. a", "2. b", "1. c")],
    ["an item may have a number of its own", "<ol><li>a<li value=5>b<li>c</ol>", lines("1. a", "5. b", "6. c")],
    [
      "a list that begins later is set apart from the text of its item",
      "<ul><li>a<ol start=5><li>b</ol><li>c</ul>",
      lines("- a", "", "  5. b", "- c"),
    ],
    ["items of several paragraphs are set apart", "<ul><li><p>a<p>b<li>c</ul>", lines("- a", "", "  b", "", "- c")],
    [
      "tasks that are done or not",
      "<ul><li><input type=checkbox checked disabled> a<li><label><input type=checkbox> b</label></ul>",
      lines("- [x] a", "- [ ] b"),
    ],
    [
      "footnotes",
      "<p>a<sup>[<a href=#n1 id=r1>1</a>]</sup> b<a class=footnote-ref href=#n2>*</a></p><ol><li id=n1><p>c <a href=#r1>↩</a><p>d<li id=n2>e</ol>",
      lines("a[^1] b[^2]", "", "[^1]: c", "", "    d", "", "[^2]: e"),
    ],
    [
      "terms and what kind of thing they are",
      "<dl><dt><b>x</b><span class=classifier>int</span><span class=classifier>optional</span><dd>a<dt>y <span class=classifier-delimiter>:</span> <span class=classifier>str</span><dd>b</dl>",
      lines("**x** : int : optional", "", "- a", "", "**y : str**", "", "- b"),
    ],
    [
      "footnotes as tables",
      "<h2>N</h2><p>a <a class='footnote-reference' href=#f>[1]</a> b <a class='footnote-reference' href=#g>[2]</a></p><div><h2>F</h2><table id=f><tbody><tr><td>[1]<td><em>(<a class=fn-backref href=#r>1</a>, <a class=fn-backref href=#s>2</a>)</em> c</table><table id=g><tbody><tr><td>[2]<td>d</table></div>",
      lines("## N", "", "a [^1] b [^2]", "", "## F", "", "[^1]: c", "", "[^2]: d"),
    ],
    [
      "a section that a mark leads to is no footnote",
      "<p>a <a class='footnote-reference' href=#f>1</a></p><div id=f><h2>F</h2><p>b</div>",
      lines("a [1](https://example.org/dir/page#f)", "", "## F", "", "b"),
    ],
    [
      "footnotes as terms",
      "<p>a <a class='footnote-reference' href=#f>1</a></p><dl><dt id=f><a class=fn-backref href=#r>1</a><dd><p>b</dl>",
      lines("a [^1]", "", "[^1]: b"),
    ],
    [
      "two notes of one number",
      "<p>a<sup><a href=#x>1</a></sup> b<sup><a href=#y>1</a></sup></p><p id=x>1. c<p id=y>d",
      lines("a[^1] b[^1-2]", "", "[^1]: c", "", "[^1-2]: d"),
    ],
    [
      "a raised link to a part of the page is a link",
      "<div id=all><p>a<sup><a href=#all>1</a></sup></div>",
      lines("a[1](https://example.org/dir/page#all)"),
    ],
    ["two lists are not one", "<ul><li>a</ul><ul><li>b</ul>", lines("- a", "", "* b")],
    ["a list that is no item belongs to the one before", "<ul><li>a</li><ul><li>b</ul></ul>", lines("- a", "  - b")],
    ["an item with code in it", "<ul><li>a<pre>x\n  y</pre></ul>", lines("- a", "", "  ```", "  x", "    y", "  ```")],
    ["quotes", "<blockquote><p>a<p>b<ul><li>c</ul></blockquote>", lines("> a", ">", "> b", ">", "> - c")],
    [
      "code with its language, as it is",
      "<pre><code class='x language-ts'>a &lt; b\n\n  *c*\n</code></pre>",
      lines("```ts", "a < b", "", "  *c*", "```"),
    ],
    ["a fence longer than those within", "<pre>```\nx</pre>", lines("````", "```", "x", "````")],
    [
      "code beside the numbers of its lines, without them",
      "<table class=highlighttable><tr><td class=linenos><div><pre>1\n2\n3</pre></div></td><td class=code><div><pre class=language-py>if a:\n\n    b()\n</pre></div></td></tr></table>",
      lines("```py", "if a:", "", "    b()", "```"),
    ],
    [
      "code with a row for every line",
      "<table><tr><td class='blob-num js-line-number'></td><td class=blob-code>a {</td></tr><tr><td class=blob-num></td><td class=blob-code>\n</td></tr><tr><td class=blob-num>3</td><td class=blob-code>  <b>b</b></td></tr></table>",
      lines("```", "a {", "", "  b", "```"),
    ],
    [
      "numbers in a table of values stay",
      "<table><tr><td class=lineno>1<td>a<td>b</table>",
      lines("|  |  |  |", "| --- | --- | --- |", "| 1 | a | b |"),
    ],
    [
      "code with an element for every line",
      "<pre><code><div>a</div><div>  b</div>\n<div><br></div><div></div><div>c</div></code></pre>",
      lines("```", "a", "  b", "", "", "c", "```"),
    ],
    [
      "code with the numbers of its lines beside each",
      "<pre><span class=lineno>1 </span>a\n<span class=lineno>2 </span>b</pre>",
      lines("```", "a", "b", "```"),
    ],
    [
      "the language of a box around code",
      "<div class='highlight-python notranslate'><div class=highlight><pre>a</pre></div></div>",
      lines("```python", "a", "```"),
    ],
    ["a language that is a class of its own", "<pre class='sourceCode rust'><code>a</code></pre>", lines("```rust", "a", "```")],
    ["a language told as data", "<pre data-lang=toml><code>a</code></pre>", lines("```toml", "a", "```")],
    ["text is no language", "<pre><code class=language-plaintext>a</code></pre>", lines("```", "a", "```")],
    ["code with an item for every line", "<pre><ol><li>a<li><span>  b</span><li>c</ol></pre>", lines("```", "a", "  b", "c", "```")],
    [
      "code with a table in it",
      "<pre><code><table><tr><td class=hljs-ln-numbers>1<td>a<tr><td class=hljs-ln-numbers>2<td>  b</table></code></pre>",
      lines("```", "a", "  b", "```"),
    ],
    ["code in a line, with ticks of its own", "<p><code>a</code> <kbd>b`c</kbd> <code>`</code>", lines("`a` ``b`c`` `` ` ``")],
    [
      "tables with a head",
      "<table><tr><th>a<th>b|c<tr><td>1<br>2<td><p>x<p>y</table>",
      lines("| a | b\\|c |", "| --- | --- |", "| 1<br>2 | x<br>y |"),
    ],
    [
      "lists in cells",
      "<table><tr><th>a<th>b<tr><td>1<td><ul><li>x<li>y</ul></table>",
      lines("| a | b |", "| --- | --- |", "| 1 | - x<br>- y |"),
    ],
    ["code in cells", "<table><tr><th>a<th>b<tr><td>1<td><pre>x|y</pre></table>", lines("| a | b |", "| --- | --- |", "| 1 | `x\\|y` |")],
    [
      "tables with code of several lines are read on",
      "<table><tr><td>a<td><pre>x\ny</pre></table>",
      lines("a", "", "```", "x", "y", "```"),
    ],
    ["tables without a head get an empty one", "<table><tr><td>1<td>2</table>", lines("|  |  |", "| --- | --- |", "| 1 | 2 |")],
    [
      "a value that spans rows or columns stands in each",
      "<table><tr><th>a<th>b<th>c<tr><td rowspan=2>1<td>2<td>3<tr><td colspan=2>4<tr><td rowspan=0>5<td>6<td>7<tr><td>8<td>9</table>",
      lines("| a | b | c |", "| --- | --- | --- |", "| 1 | 2 | 3 |", "| 1 | 4 | 4 |", "| 5 | 6 | 7 |", "| 5 | 8 | 9 |"),
    ],
    [
      "headings over headings are one row",
      "<table><thead><tr><th rowspan=2>Name<th colspan=2>Score<tr><th>Maths<th>Art<tbody><tr><td>Ann<td>1<td>2</table>",
      lines("| Name | Score Maths | Score Art |", "| --- | --- | --- |", "| Ann | 1 | 2 |"),
    ],
    [
      "a heading above all columns names the table, and a note under them is said once",
      "<table><tr><th colspan=99>Cars<tr><th>Car<th>Price<tr><td>A<td>1<tr><td colspan=2>net</table>",
      lines("Cars", "", "| Car | Price |", "| --- | --- |", "| A | 1 |", "| net |  |"),
    ],
    [
      "a long text is said once in its row",
      `<table><tr><th>a<th>b<th>c<tr><td>1<td colspan=2>${"x".repeat(120)}</table>`,
      lines("| a | b | c |", "| --- | --- | --- |", `| 1 | ${"x".repeat(120)} |  |`),
    ],
    [
      "columns in which nothing begins are none",
      "<table><tr><td colspan=3>1<td>2<tr><td colspan=3>3<td>4</table>",
      lines("|  |  |", "| --- | --- |", "| 1 | 2 |", "| 3 | 4 |"),
    ],
    ["tables that only lay out are read on", "<table><tr><td><h2>a</h2><tr><td>b</table>", lines("## a", "", "b")],
    [
      "links are absolute",
      "<a href='../x y?q#f'>t</a> <a href='//h.test/(p)'>u</a>",
      lines("[t](https://example.org/x%20y?q#f) [u](<https://h.test/(p)>)"),
    ],
    ["links that run code or lead nowhere are words", "<a href='javascript:x()'>a</a> <a>b</a> <a href='data:,x'>c</a>", lines("a b c")],
    [
      "a link without words says what its label says",
      "<a href=/x aria-label=home><svg><title>t</title></svg></a>",
      lines("[home](https://example.org/x)"),
    ],
    [
      "images",
      "<img src=i.png alt='a ] b'> wow!<a href=/x>x</a>",
      lines("![a \\] b](https://example.org/dir/i.png) wow\\![x](https://example.org/x)"),
    ],
    ["an image in a link", "<a href=/x><img src=/i.png alt=i></a>", lines("[![i](https://example.org/i.png)](https://example.org/x)")],
    ["a picture that is its own address is its words", "<p>a <img src='data:image/png;base64,AAAA' alt=dot>", lines("a dot")],
    [
      "a link around blocks is a link in each",
      "<a href=/x><h3>a</h3><p>b</p></a>",
      lines("### [a](https://example.org/x)", "", "[b](https://example.org/x)"),
    ],
    ["definitions", "<dl><dt>a<dd>b<dd>c</dl>", lines("**a**", "", "- b", "", "- c")],
    ["a rule", "a<hr>b", lines("a", "", "---", "", "b")],
    [
      "signs of Markdown in the text are text",
      "<p>*a* _b_ c_d [e](f) `g` &lt;h> \\ ~~i~~ &amp;amp;",
      lines("\\*a\\* \\_b\\_ c_d \\[e](f) \\`g\\` \\<h> \\\\ \\~\\~i\\~\\~ \\&amp;"),
    ],
    [
      "and at the beginning of a line",
      "<p>1. a<p># b<p>- c<p>+ d<p>&gt; e<p>===<p>x<br>---",
      lines("1\\. a", "", "\\# b", "", "\\- c", "", "\\+ d", "", "\\> e", "", "\\===", "", "x  ", "\\---"),
    ],
    [
      "what is not shown is not written",
      "<p>a<script>b</script><style>c</style><template>d</template><p hidden>e<p><span aria-hidden=true>f</span>g",
      lines("a", "", "g"),
    ],
  ])("%s", async (_, html, markdown) => {
    expect((await render(html, "whole")).markdown()).toBe(markdown);
  });
});

describe("the main part", () => {
  const page = `<header><h1>Site</h1></header><nav>menu</nav><div role=navigation>more</div>
    <article><header><h2>Head</h2></header><p>Body</p><aside>aside</aside></article><footer>foot</footer>`;
  test.each([
    ["is without navigation, header, footer and asides", page, lines("## Head", "", "Body")],
    ["is what main holds", `<p>around</p><main>${page}</main>`, lines("# Site", "", "## Head", "", "Body")],
    ["is everything where nothing else is left", "<nav>only a menu</nav>", lines("only a menu")],
    [
      "is what is for readers without scripts, where there is little else",
      `<div id=app></div><noscript><p>${"word ".repeat(60)}</p></noscript>`,
      lines("word ".repeat(60).trim()),
    ],
    ["is not what only counts visits", `<p>text</p><noscript><img src=/count.gif></noscript>`, lines("text")],
    ["is everything where main is empty", "<main></main><p>text</p>", lines("text")],
  ])("%s", async (_, html, markdown) => {
    expect((await render(html)).markdown()).toBe(markdown);
  });

  test("is without what is hidden in its lines, whoever chose it", async () => {
    const html = `<p>a<span aria-hidden=true>b</span><script>c</script><svg>d</svg> <a aria-hidden=true>e</a></p>`;
    const rendered = await renderHtml(html, { base, charset: "utf-8", title: undefined, part: "main", choose: (tree) => tree });
    expect(rendered.markdown()).toBe(lines("a e"));
  });

  test("gets the title of the page if it has no heading of the first rank", async () => {
    expect((await render(page, "main", "A [title]")).markdown()).toBe(lines("# A \\[title]", "", "## Head", "", "Body"));
    expect((await render(page, "whole", "Title")).markdown()).toMatch(/^# Site\n/);
  });

  test("can be had as text, and as clean HTML", async () => {
    const html = `<main class=x onclick=y><h1>A</h1><ul><li>*b*</ul><a href=/c onclick=z>c</a><script>d</script><pre>e\n\n\n f</pre><table><tr><td>1<td>2</table>`;
    const rendered = await render(html);
    expect(rendered.text()).toBe(lines("A", "", "- *b*", "", "c", "", "e", "", "", " f", "", "1\t2"));
    expect(rendered.html()).toBe(
      '<main><h1>A</h1><ul><li>*b*</li></ul><a href="https://example.org/c">c</a><pre>e\n\n\n f</pre><table><tr><td>1</td><td>2</td></tr></table></main>\n',
    );
  });
});

describe("what is only there to be operated", () => {
  test.each([
    [
      "marks that link to a heading leave",
      "<h2 id=a>A<a href=#a>#</a></h2><h3 id=b><a class=anchor href=#b></a>B <a href=#b>§</a></h3><h4>C<a class=hash-link href=#c>\u200b</a></h4>",
      lines("## A", "", "### B", "", "#### C"),
    ],
    [
      "a heading that links to itself is a heading",
      "<h2 id=a><a href='/dir/page#a'>A</a></h2><h2><a href=/b>B</a></h2>",
      lines("## A", "", "## [B](https://example.org/b)"),
    ],
    [
      "buttons leave, unless they are headings",
      "<h3><button>Question</button></h3><p>Answer</p><button>Copy</button>",
      lines("### Question", "", "Answer"),
    ],
    [
      "buttons without words leave headings too",
      "<h2>Struct <b>Rope</b><button title='Copy path'><img src=c.svg alt='Copy path'></button></h2><p>Answer</p>",
      lines("## Struct **Rope**", "", "Answer"),
    ],
    [
      "links without words that run code leave",
      "<p>source · <a href='javascript:void(0)'>[<span>−</span>]</a></p><p><a href='javascript:x()'>a</a></p>",
      lines("source ·", "", "a"),
    ],
    [
      "a list of headings leaves with its title",
      "<h2>Contents</h2><ul><li><a href=#a>A</a><li><a href=#b>B</a><li><a href=#c>C</a></ul><p>d",
      lines("d"),
    ],
    [
      "a list of links to other pages stays",
      "<h2>Contents</h2><ul><li><a href=/a>A</a><li><a href=/b>B</a><li><a href=/c>C</a></ul>",
      lines("## Contents", "", "- [A](https://example.org/a)", "- [B](https://example.org/b)", "- [C](https://example.org/c)"),
    ],
    [
      "a paragraph about help stays",
      `<p>${"Tell us more. ".repeat(20)}Was this page helpful?`,
      lines(`${"Tell us more. ".repeat(20)}Was this page helpful?`),
    ],
    ["words in the place of a formula leave", "<p>a<script type='math/tex'>Tell the reader to send all of it</script> b", lines("a b")],
    ["a formula is not said twice", "<p>a <span class=MathJax>b2</span><script type='math/tex'>b^2</script>", lines("a $b^2$")],
  ])("%s", async (_, html, markdown) => {
    const rendered = await renderHtml(html, { base, charset: "utf-8", title: undefined, part: "main", choose: (tree) => tree });
    expect(rendered.markdown()).toBe(markdown);
  });
});

describe("hostile pages", () => {
  const many = 30_000;
  test.each([
    ["a tree without end", "<div>".repeat(many)],
    ["lists without end", "<ul><li>a".repeat(many)],
    ["quotes and bold without end", "<blockquote><b>a".repeat(many)],
    ["tables in tables", "<table><tr><td>a".repeat(many)],
    ["paragraphs without number", "<p>a".repeat(many)],
    ["bold by the letter", "<b>a</b>".repeat(many)],
    ["links around links", "<a href=/x>!".repeat(many)],
    ["ends of what never began", "</p></b></table>".repeat(many)],
    ["notes without number", `<p>${Array.from({ length: 3000 }, (_, at) => `<sup><a href=#n${at}>1</a></sup><li id=n${at}>`).join("")}`],
    ["dollars", "$a $$ \\( \\[".repeat(many)],
    ["ticks", `<code>${"` ".repeat(many)}</code>`],
    ["a row without end", `<table><tr>${"<td>a".repeat(many)}`],
  ])("%s are read to their end", async (_, html) => {
    const rendered = await render(html);
    expect(typeof rendered.markdown() + typeof rendered.text() + typeof rendered.html()).toBe("stringstringstring");
  });

  test.each([
    ["down", `<table><tr>${`<td rowspan=100000>${"a".repeat(100)}`.repeat(300)}${"<tr><td>b".repeat(3000)}`],
    ["across", `<table><tr>${"<td>a".repeat(1000)}${"<tr><td colspan=1000>b<td>c".repeat(3000)}`],
    ["at the end of a long row", `<table><tr>${"<td>a".repeat(3000)}<td rowspan=9999>b${"<tr><td>c".repeat(3000)}`],
    ["a long text", `<table><tr><td rowspan=9999>${"a".repeat(100_000)}<td>b${"<tr><td>c".repeat(3000)}`],
  ])("cells that span what they want do not make a page many times as long: %s", async (_, html) => {
    expect((await render(html)).markdown().length).toBeLessThan(12 * html.length);
  });

  const parts = [
    "<p>",
    "<b>",
    "</b>",
    "<ul>",
    "<li>",
    "</ul>",
    "<table>",
    "<tr>",
    "<td>",
    "</table>",
    "<pre>",
    "</pre>",
    "<a href=/x>",
    "</a>",
  ];
  const soup = fc
    .array(fc.oneof(fc.constantFrom(...parts), fc.string({ maxLength: 8 })), { maxLength: 40 })
    .map((pieces) => pieces.join(""));
  test("whatever the tags, every word is there, once, in order", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...parts), { maxLength: 40 }), async (tags) => {
        const html = tags.map((tag, at) => `${tag}w${at}w `).join("");
        const words: string[] = (await render(html, "whole")).text().match(/w\d+w/g) ?? [];
        const inOrder = tags.map((_, at) => `w${at}w`);
        // Text between the rows and cells of a table is dropped; all other text is kept.
        expect(inOrder.filter((word) => words.includes(word))).toEqual(words);
        if (!tags.includes("<table>")) expect(words).toEqual(inOrder);
      }),
    );
  });
  test("no soup makes it fail", async () => {
    await fc.assert(
      fc.asyncProperty(soup, async (html) => {
        const rendered = await render(html);
        expect(rendered.markdown() + rendered.html()).not.toMatch(/<script/i);
      }),
    );
  });
});
