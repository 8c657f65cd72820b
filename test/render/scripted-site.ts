import type { PageHandler, PageSpec } from "../site/index.ts";

/** What each part of the site takes a browser to see. */
export interface ScriptedSite {
  readonly pages: PageHandler;
  /** Every page there is, and those that can be found without running a script. */
  readonly all: readonly string[];
  readonly plain: readonly string[];
}

const words = (about: string, times = 40) => `<p>${`Here is what there is to say of ${about}. `.repeat(times)}</p>`;
const page = (title: string, body: string) =>
  `<!doctype html><html lang=en><head><title>${title}</title></head><body><main><h1>${title}</h1>${body}</main></body></html>`;

/** The same shell at every path under /app: a client-side router draws the page its address names. */
const SHELL =
  "<!doctype html><html lang=en><head><title>App</title></head><body><div id=root></div><script src=/js/router.js></script></body></html>";
const ROUTER = `
const root = document.getElementById("root");
const part = location.pathname.split("/").pop();
const names = ["alder", "birch", "cedar", "damson"];
document.title = "Tree " + part;
root.innerHTML = "<main><h1>" + part + "</h1><p>" + ("All about the " + part + " tree. ").repeat(30) + "</p><ul>" +
  names.map((name) => '<li><a href="/app/' + name + '">' + name + "</a></li>").join("") + "</ul></main>";`;

/** Text is there at once; the list comes by fetch. */
const list = (number: number) =>
  page(
    `List ${number}`,
    `${words(`list ${number}`)}<ul id=list></ul>
<script>fetch("/data/${number}.json").then((answer) => answer.json()).then((items) => {
  document.getElementById("list").innerHTML = items.map((item) => '<li><a href="' + item + '">' + item + "</a></li>").join("");
});</script>`,
  );

const SHADOW = page(
  "Shadow",
  `${words("what stands in the shadow")}<tree-card></tree-card><script>
customElements.define("tree-card", class extends HTMLElement {
  connectedCallback() { this.attachShadow({ mode: "open" }).innerHTML = '<h2>Card</h2><a href="/leaf/shadow">in the shadow</a>'; }
});</script>`,
);

/** Items come as one scrolls, five at a time, until there are as many as there are. */
const endless = (items: number) =>
  page(
    "Endless",
    `${words("the endless list")}<div id=items></div><div id=foot style="height:20px"></div><script>
let shown = 0;
const more = () => {
  for (let five = 0; five < 5 && shown < ${items}; five++, shown++)
    document.getElementById("items").insertAdjacentHTML("beforeend", '<p style="height:300px"><a href="/leaf/scrolled-' + shown + '">item ' + shown + "</a></p>");
};
more();
new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && more()).observe(document.getElementById("foot"));
addEventListener("scroll", () => innerHeight + scrollY >= document.body.scrollHeight - 50 && more());
</script>`,
  );

/** A menu as Drupal sites have it: its settings are data for a script that builds it in pieces no reader could put together. */
const MENU = page(
  "Menu",
  `${words("the menu")}<nav id=menu></nav><script type="application/json" data-drupal-selector="drupal-settings-json">
{"menuTree":{"root":"leaf","entries":["menu-north","menu-south"]}}</script><script>
const { menuTree } = JSON.parse(document.querySelector("[data-drupal-selector]").textContent);
document.getElementById("menu").innerHTML = "<ul>" + menuTree.entries.map((entry) => '<li><a href="/' + menuTree.root + "/" + entry + '">' + entry + "</a></li>").join("") + "</ul>";
</script>`,
);

export function scriptedSite({ scrolled = 20 } = {}): ScriptedSite {
  const lists = [1, 2];
  const leaves = [
    ...lists.flatMap((number) => [1, 2, 3].map((item) => `/leaf/list-${number}-${item}`)),
    "/leaf/shadow",
    ...Array.from({ length: scrolled }, (_, item) => `/leaf/scrolled-${item}`),
    "/leaf/menu-north",
    "/leaf/menu-south",
  ];
  const routes = ["alder", "birch", "cedar", "damson"].map((name) => `/app/${name}`);
  const plain = ["/", "/app/alder", "/list/1", "/list/2", "/shadow", "/endless", "/menu"];
  const home = page(
    "Home",
    `${words("this site")}<ul>${plain
      .slice(1)
      .map((path) => `<li><a href="${path}">${path}</a></li>`)
      .join("")}</ul>`,
  );
  const table = new Map<string, PageSpec>([
    ["/", home],
    ["/shadow", SHADOW],
    ["/endless", endless(scrolled)],
    ["/menu", MENU],
    ...lists.map((number) => [`/list/${number}`, list(number)] as const),
    ...lists.map((number) => [`/data/${number}.json`, json([1, 2, 3].map((item) => `/leaf/list-${number}-${item}`))] as const),
    ...routes.map((path) => [path, SHELL] as const),
    ...leaves.map((path) => [path, page(`Leaf ${path}`, words(path))] as const),
    ["/js/router.js", { body: ROUTER, headers: { "content-type": "text/javascript" } }],
  ]);
  return { pages: ({ path }) => table.get(path), all: [...new Set([...plain, ...routes, ...leaves])].sort(), plain };
}

const json = (value: unknown): PageSpec => ({ body: JSON.stringify(value), headers: { "content-type": "application/json" } });
