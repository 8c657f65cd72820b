import type { PageAnswer } from "../serve.ts";

/** Where the hosts of the demo web were given a place, and which edition of it is out. */
export interface Sittaford {
  townHall: string;
  library: string;
  university: string;
  shop: string;
  /** The town hall's former address: the same pages under another host. */
  oldAddress: string;
  edition: number;
}

export interface House {
  name: string;
  colour: string;
  nav: [path: string, label: string][];
  /** HTML at the foot of every page. */
  footer: string;
}

export interface Sheet {
  lang?: string;
  description?: string;
  /** More lines for the head: canonical, robots, base. */
  head?: string;
  /** HTML after the footer, where content systems put their scripts. */
  tail?: string;
  /** The charset the page claims in a meta element; "" claims nothing. */
  charset?: string;
}

/** One page as real small sites write it. Lines of text are paragraphs, "## " headings, "- " list items, and "<…" HTML as it is. */
export function layout(house: House, title: string, text: string[], sheet: Sheet = {}): string {
  const { lang = "en-GB", description, head, tail = "", charset = "utf-8" } = sheet;
  const lines = [
    charset && `<meta charset="${charset}">`,
    '<meta name="viewport" content="width=device-width">',
    `<title>${title} – ${house.name}</title>`,
    description && `<meta name="description" content="${description}">`,
    head,
    `<style>body{font:17px/1.6 Georgia,serif;max-width:44rem;margin:0 auto;padding:1rem;color:#222}header{border-bottom:3px solid ${house.colour}}nav a{margin-right:1rem}a{color:${house.colour}}footer{margin-top:3rem;font-size:.85rem;color:#555}</style>`,
  ];
  return `<!doctype html>
<html lang="${lang}">
<head>
${lines.filter(Boolean).join("\n")}
</head>
<body>
<header>
<strong>${house.name}</strong>
<nav>${house.nav.map(([path, label]) => `<a href="${path}">${label}</a>`).join(" ")}</nav>
</header>
<main>
<h1>${title}</h1>
${blocks(text)}
</main>
<footer><p>${house.footer}</p></footer>
${tail}</body>
</html>
`;
}

function blocks(text: string[]): string {
  return text
    .map((line) => {
      if (line.startsWith("## ")) return `<h2>${line.slice(3)}</h2>`;
      if (line.startsWith("- ")) return `<li>${line.slice(2)}</li>`;
      return /^<(?!a |em>|strong>)/.test(line) ? line : `<p>${line}</p>`;
    })
    .join("\n")
    .replace(/(?:^<li>.*$\n?)+/gm, (items) => `<ul>\n${items.trimEnd()}\n</ul>\n`);
}

export const link = (path: string, text: string) => `<a href="${path}">${text}</a>`;

export const movedTo = (location: string, status = 301): PageAnswer => ({ status, headers: { Location: location } });

export const document = (type: string, body: string | Buffer): PageAnswer => ({ headers: { "Content-Type": type }, body, etag: true });

/** A picture for pages that link with nothing but an image. */
export const picture = (colour: string): PageAnswer =>
  document(
    "image/svg+xml",
    `<svg xmlns="http://www.w3.org/2000/svg" width="120" height="80"><rect width="120" height="80" fill="${colour}"/></svg>`,
  );

export function sitemap(origin: string, pages: [path: string, lastmod: string][]): string {
  const urls = pages.map(([path, lastmod]) => `  <url><loc>${origin}${path}</loc><lastmod>${lastmod}</lastmod></url>`);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${urls.join("\n")}\n</urlset>\n`;
}
