import { describe, expect, test } from "vitest";
import { extractWithSources } from "./index.ts";

const verdict = (html: string, url = "https://a.example/page") => extractWithSources(html, url).verdict;
const page = (title: string, body: string, head = "") =>
  `<html lang="en"><head><title>${title}</title>${head}</head><body>${body}</body></html>`;
const menu = '<nav><a href="/">Home</a> <a href="/news">News</a> <a href="/about">About us</a></nav>';
const story =
  "<p>The council met on Tuesday to speak about the harbour, the ferries and what both of them cost the town each year.</p>".repeat(16);

describe("not what was asked for", () => {
  test.each([
    ["soft-404", page("Page not found | The Mill", `${menu}<h1>Page not found</h1><p>The page you are looking for has moved.</p>`)],
    ["soft-404", page("404", `${menu}<h1>Oops</h1><p>Nothing here.</p>`)],
    ["soft-404", page("Error 404 - The Mill", `${menu}<p>Sorry.</p>`)],
    ["soft-404", page("The Mill", `${menu}<h1>Sorry, this page could not be found</h1>`)],
    ["soft-404", page("Seite nicht gefunden – Die Mühle", `${menu}<h1>Seite nicht gefunden</h1>`)],
    ["soft-404", page("Page introuvable", "<h1>Page introuvable</h1>")],
    ["soft-404", page("Página no encontrada", "<h1>Página no encontrada</h1>")],
    ["soft-404", page("Pagina non trovata", "<h1>Pagina non trovata</h1>")],
    ["soft-404", page("Página não encontrada", "<h1>Página não encontrada</h1>")],
    ["soft-404", page("Pagina niet gevonden", "<h1>Pagina niet gevonden</h1>")],
    ["soft-404", page("Nie znaleziono strony", "<h1>Nie znaleziono strony</h1>")],
    ["soft-404", page("Страница не найдена", "<h1>Страница не найдена</h1>")],
    ["soft-404", page("ページが見つかりません", "<h1>ページが見つかりません</h1>")],
    ["soft-404", page("页面不存在", "<h1>页面不存在</h1>")],
    ["bot-wall", page("Just a moment...", "<h1>a.example</h1><p>Enable JavaScript and cookies to continue</p>")],
    ["bot-wall", page("Access Denied", '<h1>Access Denied</h1><p>You don\'t have permission to access "/page" on this server.</p>')],
    ["bot-wall", page("a.example", "<p>Please verify you are a human to go on.</p>")],
    ["bot-wall", page("a.example", '<script src="/cdn-cgi/challenge-platform/h/b/orchestrate"></script>')],
    [
      "consent-wall",
      page(
        "Before you continue",
        "<h1>Before you continue</h1><p>We and our partners use cookies.</p><button>Accept all</button><button>Reject all</button>",
      ),
    ],
    ["login-wall", page("Log in | The Mill", '<h1>Log in</h1><form><input name="user"><input type="password" name="word"></form>')],
    ["login-wall", page("Anmelden", '<form><input type="PASSWORD"></form>')],
    [
      "login-wall",
      page(
        "Harbour plans",
        "<p>The council met on Tuesday.</p><p>Subscribe to continue reading.</p>",
        '<script type="application/ld+json">{"@type":"NewsArticle","isAccessibleForFree":false}</script>',
      ),
    ],
    [
      "script-shell",
      page(
        "The Mill",
        '<noscript>You need to enable JavaScript to run this app.</noscript><div id="root"></div><script src="/main.js"></script>',
      ),
    ],
    ["script-shell", page("", '<div id="__next"></div><script>start({})</script>')],
    ["parked", page("a.example", "<h1>a.example</h1><p>This domain is for sale. Make an offer on this domain.</p>")],
    ["parked", page("a.example steht zum Verkauf", "<p>Diese Domain steht zum Verkauf.</p>")],
  ])("%s", (value, html) => {
    const found = verdict(html);
    expect(found.value).toBe(value);
    expect(found.source).not.toBe("");
  });
});

describe("what was asked for", () => {
  test.each([
    [
      "an article about captchas",
      page(
        "Are you a robot? How captchas work",
        `<article><h1>Are you a robot?</h1>${story}<p>Verify you are human, they say.</p></article>`,
      ),
    ],
    ["an article about lost pages", page("404 not found: a short history", `<article><h1>404 not found</h1>${story}</article>`)],
    [
      "a thread called after an error",
      page(
        "404 not found - Forum",
        "<h1>404 not found</h1><p>I get this error since Monday, who can help?</p><p>Look at your links.</p>",
        '<script type="application/ld+json">{"@type":"DiscussionForumPosting","headline":"404 not found"}</script>',
      ),
    ],
    [
      "a thread that says so by its classes alone",
      page("404 not found - Forum", '<h1>404 not found</h1><div class="post-body">Who can help?</div><div class="post-body">Not me.</div>'),
    ],
    [
      "a page with a cookie banner and a text",
      page(
        "Harbour plans",
        `<div class="cookie-banner">We value your privacy. We and our partners use cookies. <button>Accept all</button></div><main><h1>Harbour plans</h1>${story}</main>`,
      ),
    ],
    [
      "a page with a way to log in",
      page("Harbour plans", `<form>Log in <input type="password"></form><main><h1>Harbour plans</h1>${story}</main>`),
    ],
    ["a short page", page("It works", "<h1>It works</h1>")],
    ["a short page with a script", page("Opening hours", '<h1>Opening hours</h1><p>Nine to five.</p><script src="/count.js"></script>')],
    ["a gallery", page("Views", `<div id="app">${'<img src="/a.jpg" alt="">'.repeat(9)}</div><script src="/a.js"></script>`)],
    [
      "an article about a domain that was sold",
      page("The domain is for sale no more", `<article><h1>Sold</h1>${story}<p>This domain is for sale, it said.</p></article>`),
    ],
    ["an empty page", ""],
    ["a house with the number 404", page("Room 404 | Hotel", "<h1>Room 404</h1><p>A view of the harbour.</p>")],
  ])("%s", (_, html) => expect(verdict(html)).toEqual({ value: "ok", source: "" }));
});
