/** Four ways to lay a page out: with landmarks, with nothing but divs, with tables as it was done once, and with classes that tell nothing. */
import type { Furniture, Menu } from "./furniture.ts";
import type { Chapter, Part, PlannedPage } from "./outline.ts";

export interface Sheet {
  readonly product: string;
  readonly page: PlannedPage;
  readonly furniture: Furniture;
  /** Related goods of this page. */
  readonly related: Furniture["related"];
  readonly hasTree: boolean;
}

export type Layout = (sheet: Sheet) => string;

const links = (menu: Menu) => menu.map(([path, label]) => `<li><a href="${path}">${label}</a></li>`).join("\n");
const columns = (parts: Furniture["mega"]) =>
  parts.map(({ heading, links: menu }) => `<div><h4>${heading}</h4><ul>${links(menu)}</ul></div>`).join("\n");

function partHtml(part: Part): string {
  switch (part.kind) {
    case "text":
      return `<p>${part.text}</p>`;
    case "code":
      return `<pre><code class="language-sh">${part.text}</code></pre>`;
    case "list":
      return `<ul>\n${part.items.map((item) => `<li>${item}</li>`).join("\n")}\n</ul>`;
    case "terms":
      return `<dl>\n${part.rows.map(([name, text]) => `<dt>${name}</dt><dd>${text}</dd>`).join("\n")}\n</dl>`;
    case "table":
      return `<table><thead><tr><th>Term</th><th>Meaning</th></tr></thead><tbody>
${part.rows.map(([name, text]) => `<tr><td>${name}</td><td>${text}</td></tr>`).join("\n")}
</tbody></table>`;
    case "cards":
      return `<div class="grid">\n${part.rows.map(([name, text]) => `<div class="card"><h3>${name}</h3><p>${text}</p></div>`).join("\n")}\n</div>`;
    default:
      return part satisfies never;
  }
}

const chapterHtml = ({ heading, parts }: Chapter) => `<h2 id="${slug(heading)}">${heading}</h2>\n${parts.map(partHtml).join("\n")}`;
const slug = (text: string) => text.toLowerCase().replace(/[^a-z0-9]+/g, "-");
const crumbs = ({ product, page }: Sheet) => `<a href="/">${product}</a> &rsaquo; <a href="${page.path}">${page.anchor}</a>`;
const contents = ({ chapters }: PlannedPage) =>
  chapters.map(({ heading }) => `<li><a href="#${slug(heading)}">${heading}</a></li>`).join("\n");
const withGoods = ({ related }: Sheet, around: (goods: string) => string) =>
  related.length === 0 ? "" : around(related.map(card).join("\n"));
const card = ({ path, title, price }: Furniture["related"][number]) =>
  `<div class="card"><a href="${path}"><img src="${path}.jpg" alt="${title}"><h3>${title}</h3></a><span class="price">${price}</span> <a href="/cart?add=${path.slice(-1)}">Add to basket</a></div>`;
const share =
  '<a href="https://social.example/share">Share this page</a> <a href="https://chirp.example/post">Chirp</a> <a href="mailto:?body=x">E-mail</a>';
const pager = '<a rel="prev" href="/docs/pages/1">Previous page</a> <a rel="next" href="/docs/pages/2">Next page</a>';

const documentOf = ({ product, page }: Sheet, body: string) => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${page.title} | ${product}</title><meta name="description" content="${page.lead}">
<style>.card{border:1px solid}</style><script>window.dataLayer = [];</script></head>
<body>
${body}
</body>
</html>
`;

const landmarks: Layout = (sheet) => {
  const { product, page, furniture } = sheet;
  const side = sheet.hasTree ? `<aside class="sidebar"><nav aria-label="Docs"><ul>${links(furniture.tree)}</ul></nav></aside>` : "";
  return documentOf(
    sheet,
    `<a class="skip-link" href="#main">Skip to content</a>
<div class="announcement" role="region">${furniture.notice}</div>
<header class="site-header"><a href="/" class="logo">${product}</a><nav aria-label="Main"><ul>${links(furniture.menu)}</ul>
<div class="mega">${columns(furniture.mega)}</div></nav></header>
${side}
<main id="main">
<nav aria-label="Breadcrumb">${crumbs(sheet)}</nav>
<h1>${page.title}</h1>
<p class="lead">${page.lead}</p>
<nav class="toc"><h2>On this page</h2><ul>${contents(page)}</ul></nav>
${page.chapters.map((chapter) => `<section>${chapterHtml(chapter)}</section>`).join("\n")}
<nav class="pager">${pager}</nav>
${withGoods(sheet, (all) => `<section class="related"><h2>You may also like</h2>${all}</section>`)}
</main>
<aside class="newsletter"><form action="/subscribe"><p>${furniture.newsletter}</p><input type="email"><button>Subscribe</button></form></aside>
<footer><div class="columns">${columns(furniture.foot)}</div><div class="share">${share}</div><p>${furniture.copyright}</p></footer>
<div role="dialog" class="cookie-consent"><p>${furniture.cookie}</p><button>Accept all</button></div>`,
  );
};

const soup: Layout = (sheet) => {
  const { product, page, furniture } = sheet;
  const side = sheet.hasTree ? `<div class="sidebar-left"><ul class="tree">${links(furniture.tree)}</ul></div>` : "";
  return documentOf(
    sheet,
    `<div class="topbar">${furniture.notice}</div>
<div class="cookie-banner"><div>${furniture.cookie}</div><a href="#" class="btn">Accept all</a></div>
<div class="header"><div class="logo"><a href="/">${product}</a></div><div class="menu"><ul>${links(furniture.menu)}</ul></div>
<div class="megamenu">${columns(furniture.mega)}</div></div>
<div class="wrapper">${side}
<div class="content">
<div class="breadcrumbs">${crumbs(sheet)}</div>
<div class="hero"><h1>${page.title}</h1><div class="subtitle"><p>${page.lead}</p></div></div>
<div class="toc"><b>On this page</b><ul>${contents(page)}</ul></div>
${page.chapters.map((chapter) => `<div class="block"><div class="inner">${chapterHtml(chapter)}</div></div>`).join("\n")}
<div class="share-row">${share}</div>
<div class="pagination">${pager}</div>
${withGoods(sheet, (all) => `<div class="related-products"><h3>You may also like</h3>${all}</div>`)}
</div></div>
<div class="newsletter-box"><div>${furniture.newsletter}</div><input type="email"></div>
<div class="footer"><div class="cols">${columns(furniture.foot)}</div><div class="copy">${furniture.copyright}</div></div>`,
  );
};

const tables: Layout = (sheet) => {
  const { product, page, furniture } = sheet;
  const row = (menu: Menu) => menu.map(([path, label]) => `<a href="${path}">${label}</a>`).join(" | ");
  const side = sheet.hasTree ? furniture.tree : furniture.mega.flatMap(({ links: menu }) => menu);
  return documentOf(
    sheet,
    `<table width="100%" role="presentation"><tr><td colspan="2"><a href="/"><img src="/logo.gif" alt="${product}"></a></td></tr>
<tr><td colspan="2" bgcolor="#eeeeee">${row(furniture.menu)}</td></tr>
<tr><td width="160" valign="top">${side.map(([path, label]) => `<a href="${path}">${label}</a><br>`).join("\n")}</td>
<td valign="top"><small>${crumbs(sheet)}</small>
<h1>${page.title}</h1>
<p>${page.lead}</p>
${page.chapters.map(chapterHtml).join("\n")}
<p>${pager}</p>
${sheet.related.length === 0 ? "" : `<hr><b>You may also like</b><br>${sheet.related.map(({ path, title, price }) => `<a href="${path}">${title}</a> ${price}<br>`).join("\n")}`}
</td></tr>
<tr><td colspan="2" align="center">${furniture.foot.map(({ links: menu }) => row(menu)).join("<br>")}<br><font size="1">${furniture.copyright}</font></td></tr></table>`,
  );
};

/** Classes that say how things look and never what they are. */
const utility: Layout = (sheet) => {
  const { product, page, furniture } = sheet;
  const side = sheet.hasTree ? `<div class="w-64 shrink-0"><ul class="space-y-2">${links(furniture.tree)}</ul></div>` : "";
  return documentOf(
    sheet,
    `<div class="bg-black text-center text-sm">${furniture.notice}</div>
<header class="flex px-8 py-4"><a href="/">${product}</a><nav class="flex gap-4"><ul>${links(furniture.menu)}</ul></nav></header>
<div class="mx-auto flex max-w-7xl">${side}<div class="grow px-4">
<div class="text-xs">${crumbs(sheet)}</div>
<div class="py-16"><h1 class="text-5xl">${page.title}</h1><p class="mt-4 text-xl">${page.lead}</p></div>
${page.chapters.map((chapter) => `<div class="py-12"><div class="mx-auto">${chapterHtml(chapter)}</div></div>`).join("\n")}
<div class="mt-8 flex justify-between">${pager}</div>
${withGoods(sheet, (all) => `<div class="grid grid-cols-3"><h2>You may also like</h2>${all}</div>`)}
</div></div>
<footer class="grid grid-cols-4">${columns(furniture.foot)}<p>${furniture.copyright}</p></footer>
<div class="fixed bottom-0" role="dialog"><p>${furniture.cookie}</p><button>Accept all</button></div>`,
  );
};

export const layouts: readonly Layout[] = [landmarks, soup, tables, utility];
