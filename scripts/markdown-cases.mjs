// Pages with tables, code and formulas as different generators write them, and what has to be in their Markdown.
const prose = [
  "The ferry crosses the river twice an hour, and it waits for everybody who can be seen on the road when it is about to leave.",
  "In winter the river freezes at its banks, so the ferry starts later and takes the longer way along the middle of the stream.",
  "Whoever brings a cart pays for the cart, whoever brings an animal pays for the animal, and children cross without paying.",
];
const page = (body) =>
  `<!doctype html><html lang="en"><head><title>The ferry</title></head><body><header><nav><a href="/">Home</a></nav></header><main><article><h1>The ferry</h1><p>${prose[0]}</p><h2>Winter</h2><p>${prose[1]}</p>${body}<h2>Prices</h2><p>${prose[2]}</p></article></main><footer><a href="/imprint">Imprint</a></footer></body></html>`;

export const cases = [
  {
    name: "head and body",
    html: "<table><thead><tr><th>Who</th><th>Price</th></tr></thead><tbody><tr><td>Cart</td><td>4</td></tr><tr><td>Cow</td><td>2</td></tr></tbody></table>",
    tables: [
      [
        ["Who", "Price"],
        ["Cart", "4"],
        ["Cow", "2"],
      ],
    ],
  },
  {
    name: "cells that span others repeat",
    html: '<table><tr><th rowspan="2">Who</th><th colspan="2">Price</th></tr><tr><th>Day</th><th>Night</th></tr><tr><td rowspan="2">Cart</td><td>4</td><td>6</td></tr><tr><td>5</td><td>7</td></tr></table>',
    tables: [
      [
        ["Who", "Price Day", "Price Night"],
        ["Cart", "4", "6"],
        ["Cart", "5", "7"],
      ],
    ],
  },
  {
    name: "roles",
    html: "<div role=table><div role=row><div role=columnheader>Who</div><div role=columnheader>Price</div></div><div role=row><div role=cell><p>Cart</p></div><div role=cell>4</div></div></div>",
    tables: [
      [
        ["Who", "Price"],
        ["Cart", "4"],
      ],
    ],
  },
  {
    name: "lines as boxes",
    html: '<pre class="language-js"><code><div class="line">ferry {</div><div class="line">  cross();</div><div class="line">}</div></code></pre>',
    codes: ["ferry {\n  cross();\n}"],
  },
  {
    name: "line numbers in a table",
    html: '<div class="highlight"><table><tr><td class="linenos"><pre>1\n2\n3</pre></td><td class="code"><pre><span>if</span> a:\n    b()\n# end</pre></td></tr></table></div>',
    codes: ["if a:\n    b()\n# end"],
  },
  { name: "breaks", html: "<pre>a {<br>&nbsp;&nbsp;b<br>}</pre>", codes: ["a {\n\u00a0\u00a0b\n}"] },
  {
    name: "TeX beside MathML",
    html: '<p>So <span class="katex"><span class="katex-mathml"><math><semantics><mi>v</mi><annotation encoding="application/x-tex">v = \\frac{s}{t}</annotation></semantics></math></span><span class="katex-html" aria-hidden="true">v=s/t</span></span> holds.</p>',
    formulas: ["v = \\frac{s}{t}"],
  },
  {
    name: "TeX in a script",
    html: '<p>So <script type="math/tex">s_1 + s_2</script> and \\(t^2\\) hold.</p>',
    formulas: ["s_1 + s_2", "t^2"],
  },
  { name: "MathML alone", html: "<p>So <math><msup><mi>t</mi><mn>2</mn></msup></math> holds.</p>", formulas: ["t^{2}"] },
].map((one) => ({ ...one, html: page(one.html) }));
