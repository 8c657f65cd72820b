// What a page's source says has to be in its Markdown, read by another parser and by simpler rules than the product's own.
import { parseDocument } from "htmlparser2";

/** Letters and digits alone: marks, escapes and spaces do not matter where only the words are compared. */
export const letters = (text) => text.normalize("NFKC").replace(/[^\p{L}\p{N}]+/gu, "");
/** Code and formulas: all signs count, spaces do not. */
export const signs = (text) => text.replace(/[\s\u00a0\u200b\ufeff]+/g, "");

const isTag = (node) => node.type === "tag" || node.type === "script" || node.type === "style";
const unseen = new Set([
  "style",
  "template",
  "noscript",
  "svg",
  "head",
  "select",
  "datalist",
  "object",
  "canvas",
  "video",
  "audio",
  "iframe",
  "button",
  "input",
  "textarea",
]);
const furniture = new Set(["nav", "footer", "dialog", "aside"]);
const furnitureRoles = new Set(["navigation", "banner", "contentinfo", "complementary", "search", "dialog", "menu", "menubar"]);
const furnitureName =
  /(?:^|[\s_-])(?:nav|navbar|navheader|navfooter|navigation|menu|menubar|sidebar|sphinxsidebar|breadcrumbs?|footer|toc|localtoc|globaltoc|related|share|social|comments?|cookie|newsletter|pagination|copy(?:btn|-button)?)(?:$|[\s_-])/i;
const hiddenName = /(?:^|\s)(?:sr-only|visually-?hidden|screen-?reader(?:-text|-only)?)(?:$|\s)/i;

const attribute = (node, name) => node.attribs?.[name] ?? "";
const isHidden = (node) =>
  node.attribs?.hidden !== undefined ||
  attribute(node, "aria-hidden") === "true" ||
  /display\s*:\s*none|visibility\s*:\s*hidden/i.test(attribute(node, "style")) ||
  hiddenName.test(attribute(node, "class"));
const isFurniture = (node) =>
  furniture.has(node.name) ||
  furnitureRoles.has(attribute(node, "role")) ||
  (/^(?:div|section|ul|ol|header|table|p|form)$/.test(node.name) &&
    furnitureName.test(`${attribute(node, "class")} ${attribute(node, "id")}`));

export function* elementsIn(node, isOut = () => false) {
  for (const child of node.children ?? []) {
    if (!isTag(child) || isOut(child)) continue;
    yield child;
    yield* elementsIn(child, isOut);
  }
}

const isOut = (node) => unseen.has(node.name) || isHidden(node) || isFurniture(node);
const blocks = new Set(
  "p div li ul ol dl dt dd tr table pre section article h1 h2 h3 h4 h5 h6 blockquote figure td th details summary".split(" "),
);

/** All that is seen of an element, a line for each block. */
export function textOf(node, skips = () => false) {
  if (node.type === "text") return node.data;
  if (!node.children) return "";
  if (isTag(node) && (unseen.has(node.name) || node.name === "script" || isHidden(node))) return "";
  if (isTag(node) && skips(node)) return CUT;
  if (node.name === "br") return "\n";
  const inner = node.children.map((child) => textOf(child, skips)).join("");
  return blocks.has(node.name) ? `\n${inner}\n` : inner;
}

/** What stands for a part that is looked for by itself. */
const CUT = "\u0000";
const longest = (text) =>
  text
    .split(CUT)
    .map(letters)
    .sort((a, b) => b.length - a.length)[0];

const gutter =
  /(?:^|[\s_-])(?:gutter|linenos?|line-?num(?:ber)?s?|ln-?num(?:ber)?s?|blob-num|rouge-gutter|copy\w*|prompt-copy)(?:$|[\s_-])/i;
/** The numbers of lines, in a column of their own. */
const isNumbers = (pre) => isWithin(pre, /^td$/) !== undefined && /^[\s\d]*$/.test(textOf(pre));
const isBlank = (text) => text.trim() === "";

/** The lines of a code block; an element for a line ends it. */
function codeOf(pre) {
  const lines = [""];
  const visit = (node) => {
    if (node.type === "text") {
      const [first, ...more] = node.data.replace(/\r\n?/g, "\n").split("\n");
      lines[lines.length - 1] += first;
      lines.push(...more);
      return;
    }
    if (!isTag(node) || unseen.has(node.name) || isHidden(node) || gutter.test(attribute(node, "class"))) return;
    if (node.name === "br") lines.push("");
    const isBlock = blocks.has(node.name) && node.name !== "td";
    if (isBlock && lines.at(-1) !== "") lines.push("");
    for (const child of node.children) visit(child);
    if (isBlock && lines.at(-1) !== "") lines.push("");
  };
  for (const child of pre.children) visit(child);
  return lines.map((line) => line.trimEnd()).filter((line) => line !== "");
}

function isWithin(node, name) {
  for (let up = node.parent; up; up = up.parent) if (name.test(up.name ?? "")) return up;
  return undefined;
}

const find = (node, name) => [...elementsIn(node, isOut)].filter((element) => name.test(element.name));

/** The part of the page that its landmarks say it is about. */
function landmark(document) {
  const all = [...elementsIn(document)];
  const named = (fits) => all.filter((node) => fits(node) && letters(textOf(node)).length > 200);
  for (const fits of [
    (node) => node.name === "main" || attribute(node, "role") === "main",
    (node) => node.name === "article",
    (node) => /^(?:content|main-content|page-content|main)$/.test(attribute(node, "id")),
  ]) {
    const found = named(fits);
    if (found.length === 1) return found[0];
  }
  return all.find((node) => node.name === "body") ?? document;
}

/** Footnotes: what a small raised link in the text, or one that says so, leads to. */
function notesIn(all) {
  const byId = new Map(
    all.flatMap((node) =>
      [attribute(node, "id"), node.name === "a" ? attribute(node, "name") : ""].filter((id) => id !== "").map((id) => [id, node]),
    ),
  );
  const targets = new Set();
  for (const node of all) {
    if (node.name !== "a" || !attribute(node, "href").startsWith("#")) continue;
    const said = `${attribute(node, "role")} ${attribute(node, "class")} ${attribute(node, "epub:type")}`;
    const isMark =
      /noteref|footnote-?ref|footnote-reference/.test(said) ||
      (isWithin(node, /^sup$/) && /^[[(]?\w{1,3}[\])]?$/.test(textOf(node).trim()));
    if (!isMark || isWithin(node, /^nav$/)) continue;
    let target = byId.get(decodeURIComponent(attribute(node, "href").slice(1)));
    while (target && /^(?:a|sup|span|b)$/.test(target.name)) target = target.parent;
    if (target && /^(?:li|p|div|dd|dt|td|aside|section)$/.test(target.name) && letters(textOf(target)).length < 2000) targets.add(target);
  }
  return [...targets].map((node) => (node.name === "dt" ? (node.next?.next ?? node) : node));
}

const backLink = (node) => node.name === "a" && attribute(node, "href").startsWith("#") && letters(textOf(node)).length < 4;

/** TeX as its writer wrote it. */
function formulasIn(all) {
  const found = all.flatMap((node) => {
    if (node.name === "annotation" && /tex$/i.test(attribute(node, "encoding")))
      return [node.children.map((child) => child.data ?? "").join("")];
    if (node.name === "script" && /^math\/tex/i.test(attribute(node, "type")))
      return [node.children.map((child) => child.data ?? "").join("")];
    return [];
  });
  return found.map((tex) => /^\s*\{\\(?:display|text)style ([\s\S]+)\}\s*$/.exec(tex)?.[1] ?? tex).filter((tex) => signs(tex) !== "");
}

function regionOf(document, expected) {
  if (expected === undefined) return landmark(document);
  const isSaid = (node) => {
    const text = letters(textOf(node));
    return text.length > 40 && expected.includes(text);
  };
  const said = find(document, /^(?:p|li|td|dd)$/).filter(isSaid);
  if (said.length < 3) return landmark(document);
  const chain = (node) => {
    const up = [];
    for (let at = node; at; at = at.parent) up.unshift(at);
    return up;
  };
  const chains = said.map(chain);
  let depth = 0;
  while (chains.every((one) => one[depth] && one[depth] === chains[0][depth])) depth += 1;
  return chains[0][depth - 1];
}

/** What has to be in the Markdown of a page. With its text as somebody wrote it down, what is in that is meant; or else what its landmarks hold. */
export function truthOf(html, expectedText) {
  const document = parseDocument(html, { lowerCaseTags: true });
  const expected = expectedText === undefined ? undefined : letters(expectedText);
  const region = regionOf(document, expected);
  const isSaid = (text) => expected === undefined || expected.includes(letters(text));
  const inRegion = [...elementsIn(region, isOut)];
  const named = (name) => inRegion.filter((node) => name.test(node.name));

  const code = named(/^pre$/)
    .filter((pre) => !isWithin(pre, /^pre$/) && !isNumbers(pre))
    .map(codeOf)
    .filter((lines) => letters(lines.join("")).length >= 3);

  const tables = named(/^table$/)
    .filter((table) => ![...elementsIn(table)].some(({ name }) => /^(?:table|pre|h[1-4]|form)$/.test(name)) && !isWithin(table, /^pre$/))
    .map((table) =>
      find(table, /^tr$/).map((row) => row.children.filter((cell) => /^t[dh]$/.test(cell.name ?? "")).map((cell) => letters(textOf(cell)))),
    )
    .map((rows) => rows.map((cells) => cells.filter((cell) => cell !== "")).filter((cells) => cells.length > 0))
    .filter((rows) => rows.length > 1 && rows.some((cells) => cells.length > 1))
    .filter((rows) => isMostlySaid(rows.flat(), expected));

  const isList = (node) => /^(?:ul|ol|menu|dir)$/.test(node.name);
  const notes = notesIn([...elementsIn(document, (node) => unseen.has(node.name))]);
  const isInNote = (node) => notes.some((note) => note === node || [...elementsIn(note)].includes(node));
  const lists = named(/^[uo]l$/).filter((list) => !isWithin(list, /^(?:table|pre|form)$/) && !isOnlyWaysDown(list));
  const items = lists
    .map((list) =>
      list.children
        .filter((item) => item.name === "li" && !isOut(item) && !isInNote(item))
        .map((item) => longest(textOf(item, (node) => isList(node) || node.name === "pre" || node.name === "table")))
        .filter((item) => item.length >= 3),
    )
    .filter((all) => isMostlySaid(all, expected))
    .flat();

  const terms = named(/^d[td]$/)
    .filter((node) => !isWithin(node, /^(?:table|pre|form)$/) && node.parent?.name === "dl")
    .map((node) => ({ name: node.name, text: textOf(node, (inner) => /^(?:pre|ul|ol|table|dl)$/.test(inner.name)).replace(/[¶§]/g, "") }))
    .map(({ name, text }) => ({ name, text: longest(text) }))
    .filter(({ text }) => text.length >= 2 && isSaid(text));

  return {
    code,
    tables,
    items,
    terms,
    notes: notes.map((note) => letters(textOf(note, backLink))).filter((text) => text.length >= 8),
    alts: altsIn(inRegion, expected !== undefined),
    formulas: formulasIn([...elementsIn(region, (node) => node.name === "nav")]),
    headings: headingsIn(region),
  };
}

/** Tables of contents. */
function isOnlyWaysDown(list) {
  const links = [...elementsIn(list)].filter(({ name }) => name === "a");
  const own = letters(textOf(list)).length;
  const down = links.filter((link) => attribute(link, "href").includes("#")).reduce((sum, link) => sum + letters(textOf(link)).length, 0);
  return own > 0 && down / own > 0.8;
}

const isMostlySaid = (texts, expected) => {
  if (expected === undefined) return true;
  const long = texts.filter((text) => text.length >= 3);
  return long.length > 0 && long.filter((text) => expected.includes(text)).length >= 0.7 * long.length;
};

/** What pictures show, where somebody said it in words. */
function altsIn(all, isTold) {
  // Pictures that lead to other pages belong to teasers of them; landmarks alone do not tell which are.
  const isTeaser = (img) => isTold && /^(?!.*\.(?:png|jpe?g|gif|webp|svg|avif)).+/i.test(attribute(isWithin(img, /^a$/) ?? {}, "href"));
  return all
    .filter((img) => img.name === "img" && !isTeaser(img))
    .filter((img) => !["width", "height"].some((side) => Number.parseInt(attribute(img, side), 10) < 48))
    .filter(
      (img) => !/(?:^|[\s_-])(?:avatar|icon|logo|emoji|mwe-math)(?:$|[\s_-])/i.test(`${attribute(img, "class")} ${attribute(img, "src")}`),
    )
    .map((img) => attribute(img, "alt"))
    .filter((alt) => /\p{L}{3}/u.test(alt) && !/\.(?:png|jpe?g|gif|svg|webp)$/i.test(alt.trim()))
    .map(letters)
    .filter((alt) => alt.length >= 4);
}

/** Headings with whether anything stands under them. */
function headingsIn(region) {
  const flat = [...elementsIn(region, isOut)].filter(({ name }) => /^(?:h[1-6]|p|li|pre|td|dd)$/.test(name));
  return new Set(
    flat.flatMap((node, at) => {
      if (!/^h/.test(node.name)) return [];
      const next = flat.slice(at + 1).find((one) => !isBlank(textOf(one)));
      return next && !/^h/.test(next.name) ? [letters(textOf(node))] : [];
    }),
  );
}
