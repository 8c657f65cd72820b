import type { PageSpec } from "../site/index.ts";

const page = (title: string, text: string, ...links: string[]): PageSpec => ({
  etag: true,
  body: `<!doctype html><html lang="en"><title>${title}</title><nav><a href="/">Home</a> <a href="/news/">News</a> <a href="/docs/">Docs</a></nav>
<main><h1>${title}</h1><p>${text}</p><ul>${links.map((to) => `<li><a href="${to}">${to}</a>`).join("")}</ul></main><footer>Example Town</footer></html>`,
});

const text = (body: string): PageSpec => ({ headers: { "content-type": "text/plain" }, body });

/** What stands in for example.org when the commands of the documents are run: small, but with a bit of everything they speak of. */
export const exampleSite: Readonly<Record<string, PageSpec>> = {
  "/robots.txt": text("User-agent: *\nDisallow: /private/\nCrawl-delay: 0\n"),
  "/": page(
    "Example Town",
    "A small town with a long memory.",
    "/news/",
    "/docs/",
    "/calendar/",
    "/about/",
    "/private/minutes",
    "/that/page",
  ),
  "/about/": page("About", "Where the town is, and why."),
  "/that/page": page("That page", "The page itself."),
  "/news/": page("News", "What happened.", "/news/bridge", "/news/budget"),
  "/news/bridge": page("The bridge is open", "After nine years the bridge over the little river is open again."),
  "/news/budget": page("The budget for next year", "The council has agreed on the budget, with two votes against it."),
  "/docs/": page("Documentation", "How things are done.", "/docs/start", "/docs/forms"),
  "/docs/start": page("Start here", "Everything begins at the counter on the ground floor."),
  "/docs/forms": page("Forms", "All forms, with the office that wants them."),
  "/calendar/": page("Calendar", "Dates of the year.", "/calendar/may", "/calendar/june"),
  "/calendar/may": page("May", "The fair."),
  "/calendar/june": page("June", "The swimming pool opens."),
};
