/** Pages nobody writes by accident, of about `n` pieces each. */
const jsonLd = (json: string) => `<script type="application/ld+json">${json}</script>`;
const many = (n: number, piece: (at: number) => string) => Array.from({ length: n }, (_, at) => piece(at)).join("");

export const torture: readonly [name: string, page: (n: number) => string][] = [
  ["elements in elements", (n) => "<div><section><article><b>".repeat(n)],
  ["lists and tables left open", (n) => "<ul><li><table><tr><td>a".repeat(n)],
  ["ends without a beginning", (n) => "</p></div></article></table>".repeat(n)],
  ["formatting that never closes", (n) => `${"<b><i><a href=x>".repeat(n)}text`],
  ["attributes on one element", (n) => `<p ${many(n, (at) => `a${at}=b `)} class="${"author ".repeat(n)}" id=x>a`],
  ["one attribute that is all", (n) => `<meta name=description content="${"a ".repeat(10 * n)}"><a href="${"x".repeat(10 * n)}">b</a>`],
  ["classes that nearly fit", (n) => many(n, (at) => `<div class="${"author-by-line-publish-date-".repeat(3)}${at}">By</div>`)],
  ["headings", (n) => "<h1>a b c</h1>".repeat(n)],
  ["titles", (n) => many(n, (at) => `<title>a | b${at} - c</title><h1>a | b${at}</h1><meta property="og:title" content="a | b${at} – c">`)],
  [
    "a title of separators",
    (n) => `<title>${"a | b - ".repeat(n)}</title><h1>${"a | ".repeat(n)}</h1><meta property="og:site_name" content="${"b - ".repeat(n)}">`,
  ],
  [
    "metas",
    (n) =>
      many(
        n,
        (at) =>
          `<meta name="author" content="A${at} B"><meta property="og:image" content="/i${at}.jpg"><meta property="article:tag" content="t${at}">`,
      ),
  ],
  ["keywords", (n) => `<meta name="keywords" content="${many(n, (at) => `word ${at}, `)}">`],
  [
    "times",
    (n) =>
      many(
        n,
        (at) => `<time datetime="20${String(at % 100).padStart(2, "0")}-01-02" itemprop="datePublished">2 May ${2000 + (at % 50)}</time>`,
      ),
  ],
  ["dates in text", (n) => `<p>${many(n, (at) => `${at % 31} January 20${at % 100}, 2020-01-${at % 40} `)}`],
  ["bylines", (n) => '<p class="byline author">By <a rel="author" href="/author/x">Ann Lee</a> and Bo</p>'.repeat(n)],
  ["by and by", (n) => `<p class="author">${"By ".repeat(n)}</p><p>${"by von de par ".repeat(n)}`],
  ["pictures", (n) => many(n, (at) => `<img src="/i${at}.png" width=600 height=400 srcset="/a 1x, /b 2x" alt="c">`)],
  ["tags", (n) => many(n, (at) => `<a rel="tag" href="/tag/t${at}" class="tag">topic ${at}</a>`)],
  ["links", (n) => many(n, (at) => `<li><a href="/p${at}">a link of some words</a></li>`)],
  ["paragraphs", (n) => "<p>Some words in a sentence, and some more, of the study at a laboratory.</p>".repeat(n)],
  ["blocks of one letter", (n) => "<div>a</div><br>".repeat(n)],
  ["a text without spaces", (n) => `<p>${"a".repeat(100 * n)}`],
  ["a text of spaces", (n) => `<h1>${" \n\t\u00a0".repeat(20 * n)}x</h1><p>${" ".repeat(50 * n)}`],
  ["a text of full stops", (n) => `<p>${". ".repeat(30 * n)}${"-".repeat(20 * n)}|`],
  ["letters of many scripts", (n) => `<p>${"日本語。العربية עברית ไทย 🪺 ".repeat(3 * n)}`],
  ["entities", (n) => `<title>${"&amp;".repeat(5 * n)}</title><p>${"&am&#x;&#1114112;".repeat(3 * n)}`],
  ["items in items", (n) => '<div itemscope itemprop="a" itemtype="http://schema.org/Article"><b itemprop="author">'.repeat(n)],
  ["items with two names in items with two names", (n) => '<div itemscope itemprop="a b c" typeof="x" property="d e f">'.repeat(n)],
  ["properties", (n) => `<div itemscope>${'<b itemprop="author name">a</b>'.repeat(n)}</div>`],
  ["items that refer to all of the page", (n) => `<body id=all>${'<p itemscope itemref="all all x"><b itemprop="a">b</b></p>'.repeat(n)}`],
  ["items that refer to each other", (n) => many(n, (at) => `<p id=i${at} itemscope itemprop="a" itemref="i${at + 1} i${at - 1} i0"></p>`)],
  [
    "items that refer to one list of names",
    (n) => `<p id=x itemprop="${"a ".repeat(5 * n)}">b</p>${"<p itemscope itemref=x></p>".repeat(n)}`,
  ],
  [
    "items that refer to one long value",
    (n) => `<p id=x itemprop=a content="${" ".repeat(10 * n)}b"></p>${"<p itemscope itemref=x></p>".repeat(n)}`,
  ],
  ["types of a long vocabulary", (n) => `<div vocab="${"a".repeat(n)}" typeof="${"b ".repeat(n)}"><p typeof=c property=d>e`],
  ["items of a long vocabulary", (n) => `<div vocab="${" ".repeat(5 * n)}a">${"<p typeof=b></p>".repeat(n)}`],
  [
    "properties around one text",
    (n) => `${'<div itemscope><b itemprop="x"><i property="y" typeof="z">'.repeat(250)}${"words ".repeat(5 * n)}`,
  ],
  ["types in types", (n) => '<div vocab="x" typeof="Article"><b property="author">'.repeat(n)],
  ["JSON without an end", (n) => jsonLd('{"a":['.repeat(3 * n))],
  ["JSON as deep as it is long", (n) => jsonLd(`${'{"author":'.repeat(3 * n)}1${"}".repeat(3 * n)}`)],
  ["JSON that is broken everywhere", (n) => jsonLd(`{"a": "${'b" c\n'.repeat(5 * n)}", "d": [1,,}${"{,".repeat(n)}`)],
  ["a string of quotes and breaks", (n) => jsonLd(`{"a": "${'"\n '.repeat(5 * n)}`)],
  ["strings of backslashes", (n) => jsonLd(`{"a": "${"\\".repeat(15 * n)}`)],
  ["comments in JSON", (n) => jsonLd("/*//<!--".repeat(3 * n))],
  [
    "things that refer to each other",
    (n) => jsonLd(`[${many(n, (at) => `{"@id":"#${at}","@type":"Article","author":[{"@id":"#${at + 1}"},{"@id":"#0"}]},`)}{}]`),
  ],
  [
    "references to one large thing",
    (n) => jsonLd(`[{"@id":"#a","k":[${"1,".repeat(n)}1]},{"@type":"Article","author":[${'{"@id":"#a"},'.repeat(n)}{}]}]`),
  ],
  [
    "articles",
    (n) =>
      jsonLd(
        `[${many(n, (at) => `{"@type":"NewsArticle","headline":"h${at}","author":{"@type":"Person","name":"A${at} B"},"datePublished":"2020-01-02","image":"/${at}"},`)}{}]`,
      ),
  ],
  ["scripts", (n) => `<script>${'{"datePublished":"2020-01-02","author":{"name":"'.repeat(n)}</script>`],
  ["many scripts", (n) => '<script>var a = "2020-01-02";</script><style>p{}</style>'.repeat(n)],
  ["SVG that never ends", (n) => "<svg><title>a</title><script>b</script>".repeat(n)],
  ["templates and noscript", (n) => "<template><noscript><p>Enable JavaScript</p>".repeat(n)],
  ["comments without an end", (n) => "<!-- <h1>a</h1>".repeat(n)],
  ["table cells", (n) => `<table>${"<tr><td>a<td><p>b</p><th>c".repeat(n)}`],
  ["languages", (n) => '<div lang="xx-yy-zz" class="lang">a</div><link rel=alternate hreflang=de href=/x>'.repeat(n)],
];
