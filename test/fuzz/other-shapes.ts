/** Pages made to hurt what is read besides plain HTML and its metadata: style sheets, formulas, spans, charsets, addresses, feeds, Markdown. */
const many = (n: number, piece: (at: number) => string) => Array.from({ length: n }, (_, at) => piece(at)).join("");
const marks = "\u0315\u0300\u05ae";
const token = (at: number) => (at * 7919).toString(16).padStart(32, "a");
const letters = (n: number, from: number) =>
  String.fromCodePoint(...Array.from({ length: n }, (_, at) => 0x4e00 + ((from * 61 + at * 7) % 20_000)));

const html: readonly [name: string, page: (n: number) => string][] = [
  [
    "a rule that hides for each element",
    (n) => `<style>${many(n / 4, (at) => `.c${at}{display:none}`)}</style>${many(n, (at) => `<p class="c${at}">a`)}`,
  ],
  [
    "elements of many hidden classes",
    (n) =>
      `<style>${many(5000, (at) => `.a .b${at}{display:none}`)}</style>${many(n / 100, () => `<p class="${many(200, (at) => `b${at} `)}">a`)}`,
  ],
  [
    "custom properties in a chain",
    (n) => `<style>:root{${many(n, (at) => `--a${at}:var(--a${at + 1});`)}}p{opacity:var(--a0)}</style>${many(n / 20, () => "<p>a")}`,
  ],
  [
    "custom properties that double",
    (n) =>
      `<style>:root{${many(n, (at) => `--a${at}:var(--a${at + 1}) var(--a${at + 1});`)}}</style>${many(n, () => '<p style="opacity:var(--a0)">a')}`,
  ],
  ["a fallback in a fallback", (n) => many(n / 300, () => `<p style="opacity:${"var(--a,".repeat(200)}0">a`)],
  ["rules for any element", (n) => `<style>${many(n / 4, (at) => `:not(.c${at}) > *{opacity:0}`)}</style>${many(n, () => "<b>a</b>")}`],
  [
    "selectors that nearly fit",
    (n) =>
      `<style>${many(n / 50, (at) => `.r${at} > ${".a ".repeat(30)}.x{opacity:0}`)}</style>${'<div class="a">'.repeat(200)}${'<b class="x">c</b>'.repeat(n)}`,
  ],
  [
    "selectors of what is inside",
    (n) => `<style>${many(n / 20, (at) => `div:has(.c${at}){opacity:0}`)}</style>${"<div><p>a</p></div>".repeat(n)}`,
  ],
  [
    "places among siblings",
    (n) => `<style>${many(n / 50, (at) => `b:nth-last-of-type(${at}n+1) ~ i{opacity:0}`)}</style>${"<b>a</b><i>c</i>".repeat(n)}`,
  ],
  ["rules in rules", (n) => `<style>${".a{color:red;".repeat(n)}</style><p class=a>a`],
  ["brackets without an end in a sheet", (n) => `<style>${"a(".repeat(n)}${"[".repeat(n)}${"url(".repeat(n)}</style><p>a`],
  ["colours of every kind", (n) => many(n, (at) => `<p style="color:hsl(${at} 100% 50%);background:color-mix(in lab,red,blue)">a`)],
  ["a colour in a colour", (n) => `<p style="color:${"color-mix(in srgb,".repeat(n)}">a`],
  ["formulas in formulas", (n) => "<math><mrow><msup><mi>x</mi>".repeat(n)],
  ["formulas", (n) => many(n, (at) => `<math><mfrac><mn>${at}</mn><msqrt><mi>y</mi></msqrt></mfrac></math>`)],
  ["cells that span all", (n) => `<table>${many(n, (at) => `<tr><td colspan=1000 rowspan=65534>${at}<td>a`)}`],
  ["tables in tables", (n) => "<table><tr><td>a<table>b".repeat(n)],
  ["one srcset that is all", (n) => `<img srcset="${many(n, (at) => `/i${at}.png ${at}w, `)}">`],
  ["a base for each link", (n) => many(n / 100, (at) => `<base href="${"a/".repeat(500)}${at}/"><a href="../${at}">a</a>`)],
  ["refreshes", (n) => many(n, (at) => `<meta http-equiv=refresh content="${"0".repeat(300)};url=/${at}">`)],
  ["marks on one letter", (n) => `<title>a${marks.repeat(n)}</title><p>a${marks.repeat(n)}`],
  ["hosts in letters of their own", (n) => many(n / 100, (at) => `<a href="http://${letters(60, at)}.test/">a</a>`)],
  ["one host that is all", (n) => `<a href="http://${many(n / 1000, (at) => letters(1000, at))}.test/">a</a>`],
  ["sessions in every link", (n) => many(n, (at) => `<a href="/p${at};jsessionid=${token(at)}?sid=${token(at)}">a</a>`)],
  ["a path of sessions", (n) => many(n / 50, (at) => `<a href="/p${";jsessionid=0".repeat(150)}${at}">a</a>`)],
  ["paths of nothing but ways up", (n) => many(n / 100, (at) => `<a href="/${"a/../".repeat(390)}${at}">a</a>`)],
  [
    "references to characters that are none",
    (n) => `<p>${"&CounterClockwiseContourIntegral;&#x10FFFF;&#0;&#xD800;&aaaaaaaaaa".repeat(n / 4)}`,
  ],
  [
    "numbers beyond all bounds",
    (n) => many(n, (at) => `<ol start=${"9".repeat(30)}><li value=-${"9".repeat(20)}>a</ol><img src=/${at} width=1e308>`),
  ],
  ["pictures in their links", (n) => many(n / 200, () => `<img src="data:image/png;base64,${"A".repeat(1900)}">`)],
  ["attributes on every element", (n) => many(n / 500, () => `<p ${many(1000, (at) => `a${at} `)}>a`)],
  ["fences in code", (n) => `<pre>${many(n / 100, (at) => `${"`".repeat(at % 3000)}\n`)}`],
];
const others: readonly [type: string, name: string, page: (n: number) => string][] = [
  [
    "application/xml",
    "entries of a feed",
    (n) =>
      `<rss><channel>${many(n / 4, (at) => `<item><title>${at}</title><link>/i${at}</link><content:encoded><![CDATA[<p>a<div>]]></content:encoded></item>`)}`,
  ],
  [
    "application/xml",
    "a sitemap in all languages",
    (n) =>
      `<urlset>${many(n / 40, (at) => `<url><loc>/s${at}</loc>${many(50, (to) => `<xhtml:link rel="alternate" hreflang="x${to}" href="/s${at}-${to}"/>`)}<priority>1e999</priority></url>`)}`,
  ],
  [
    "text/markdown",
    "Markdown references",
    (n) => `${many(n / 4, (at) => `[r${at}]: /u${at} "t"\n`)}\n${many(n / 4, (at) => `[x][r${at}] `)}`,
  ],
  ["text/markdown", "Markdown quotes", (n) => `${">".repeat(5 * n)}a\n${"> ".repeat(5 * n)}`],
  ["text/html; charset=utf-7", "a charset that is not read", (n) => "+ADw-script+AD4-".repeat(n)],
  ["text/html; charset=iso-2022-jp", "charsets that change all the time", (n) => "\x1b$B\x1b(B\x1b(J<".repeat(n)],
];

export const otherShapes = [...html.map((shape) => ["text/html; charset=utf-8", ...shape] as const), ...others];
