import { describe, expect, test } from "vitest";
import { renderHtml } from "./index.ts";

const markdown = async (html: string) =>
  (await renderHtml(html, { base: "https://example.org/dir/page", charset: "utf-8", title: undefined, part: "main" })).markdown();
const lines = (...text: string[]) => `${text.join("\n")}\n`;

describe("the HTML of site generators as Markdown", () => {
  test.each([
    [
      "tables made of roles",
      "<div role=table><div role=rowgroup><div role=row><div role=columnheader>Event</div><div role=columnheader>When</div></div></div><div role=rowgroup><div role=row><div role=cell><p>done</p></div><div role=cell>it ends</div></div></div></div>",
      lines("| Event | When |", "| --- | --- |", "| done | it ends |"),
    ],
    [
      "code in cells with the class of a line number",
      '<pre><code class="language-go"><table><tr><td class="x-ln-line x-ln-numbers"></td><td class="x-ln-line x-ln-code">a {</td></tr><tr><td class="x-ln-line x-ln-numbers"></td><td class="x-ln-line x-ln-code">}</td></tr></table></code></pre>',
      lines("```go", "a {", "}", "```"),
    ],
    [
      "the language of a box around code and its line numbers",
      '<div class="language-python box"><table><tr><td class="linenos"><pre>1</pre></td><td class="code"><div><pre>a = 1</pre></div></td></tr></table></div>',
      lines("```python", "a = 1", "```"),
    ],
    [
      "not that of a box around other parts",
      '<div class="language-python"><section><ul><li><pre>a</pre></li></ul></section></div>',
      lines("- ```", "  a", "  ```"),
    ],
    ["source- before a language", '<div class="cpp source-cpp"><pre>int a;</pre></div>', lines("```cpp", "int a;", "```")],
    [
      "a highlighted line without an end",
      '<pre><code>a {\n<span class="x-highlight-code-line">  b</span>}</code></pre>',
      lines("```", "a {", "  b", "}", "```"),
    ],
    [
      "labels that repeat the language of code",
      "<div class=example><div class=head><span class=name>JS</span><button>Copy to clipboard</button></div><pre class=language-js>a()</pre></div><div class=box><span class=lang>ts</span><pre class=language-ts>b()</pre></div>",
      lines("```js", "a()", "```", "", "```ts", "b()", "```"),
    ],
    [
      "other words beside code",
      "<div><p>Shells</p><pre class=language-js>a()</pre></div><div><p>js</p><p>b</p></div>",
      lines("Shells", "", "```js", "a()", "```", "", "js", "", "b"),
    ],
    [
      "links to the source or the editor of a section",
      "<h2>A <span class=mw-editsection>[<a href=/e>edit</a>]</span></h2><dl><dt>put()<a href=/s><span>[source]</span></a></dt><dd>Adds <a href=/t>source</a></dd></dl>",
      lines("## A", "", "**put()**", "", "- Adds [source](https://example.org/t)"),
    ],
    [
      "buttons that run code, but no link in the text",
      "<div class=live-link><div class=btn>Run this code</div></div><p><a class=btn href=/x>Download</a></p>",
      lines("[Download](https://example.org/x)"),
    ],
    ["the title of a table of contents elsewhere", "<p class=my-toc-title>Table of Contents</p><p>a", lines("a")],
    [
      "values in cells that are buttons, without those that copy",
      "<table><tr><th>Name</th><th>Since</th></tr><tr><td>a</td><td><button>49</button><button>Copy</button></td></tr></table>",
      lines("| Name | Since |", "| --- | --- |", "| a | 49 |"),
    ],
    [
      "footnotes and notices that are asides of the text",
      "<main><section><p>a<a class=footnote-reference role=doc-noteref href=#n>1</a></p><aside class=footnote-list><aside class=footnote role=doc-footnote id=n><span class=label>[<a href=#m>1</a>]</span><p>b</p></aside></aside><aside class='x-aside note'>c</aside><aside>d</aside></section></main>",
      lines("a[^1]", "", "[^1]: b", "", "c"),
    ],
    [
      "paragraphs to which a note leads back",
      "<p>a<sup id=r1><a href=#n1>1</a></sup></p><ol><li id=n1><span>^ <a href=#r1><sup><i>b</i></sup></a></span> c</li></ol>",
      lines("a[^1]", "", "[^1]: c"),
    ],
  ])("has right: %s", async (_, html, expected) => {
    expect(await markdown(html)).toBe(expected);
  });
});
