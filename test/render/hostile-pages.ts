/** Pages that mean their browser no good: what each does, and what has to become of it. */
import type { IncomingMessage, ServerResponse } from "node:http";

export interface HostilePage {
  /** As the test is called. */
  readonly name: string;
  readonly html?: string;
  readonly serve?: (asked: IncomingMessage, answer: ServerResponse) => void;
  /** What comes of it: its kind, with the reason where there is one. More than one where machines may differ. */
  readonly becomes: readonly string[];
  /** Whether it is over within seconds, and worth being told in every test. */
  readonly isQuick: boolean;
}

const script = (text: string) => `<title>t</title><p>hello <a href="/link">link</a></p><script>${text}</script>`;

export const hostilePages: readonly HostilePage[] = [
  {
    name: "a loop that never ends",
    html: script("setTimeout(() => { for (;;); }, 20)"),
    becomes: ["failed render.timeout"],
    isQuick: false,
  },
  { name: "a loop before anything is shown", html: `<script>for (;;);</script>`, becomes: ["failed render.timeout"], isQuick: false },
  {
    name: "going elsewhere without end",
    html: script("let n = 0; setInterval(() => { location = '/to/' + n++; }, 1)"),
    becomes: ["moved"],
    isQuick: true,
  },
  { name: "reloading without end", html: script("setInterval(() => location.reload(), 1)"), becomes: ["body"], isQuick: true },
  {
    name: "a redirect to itself with another number",
    serve: (asked, answer) => answer.writeHead(302, { location: `${asked.url}1` }).end(),
    becomes: ["moved"],
    isQuick: true,
  },
  {
    name: "objects without end",
    html: script("const all = []; for (let i = 0; ; i++) all.push(new Array(1e5).fill(i))"),
    becomes: ["failed render.crash"],
    isQuick: false,
  },
  {
    name: "buffers without end",
    html: script("const all = []; for (;;) all.push(new Uint8Array(64e6).fill(1))"),
    becomes: ["failed render.crash"],
    isQuick: false,
  },
  {
    name: "windows without end",
    html: script("setInterval(() => { for (let i = 0; i < 20; i++) open('/window' + i); }, 1)"),
    becomes: ["body"],
    isQuick: true,
  },
  {
    name: "dialogs, one after the other",
    html: script("setInterval(() => { alert(1); confirm(2); prompt(3); }, 10)"),
    becomes: ["body"],
    isQuick: false,
  },
  { name: "dialogs without end", html: script("for (;;) alert(1)"), becomes: ["failed render.timeout", "body"], isQuick: false },
  {
    name: "downloads without end",
    html: script(
      "setInterval(() => { const a = document.createElement('a'); a.href = URL.createObjectURL(new Blob(['x'])); a.download = 'x'; a.click(); }, 5)",
    ),
    becomes: ["body"],
    isQuick: true,
  },
  {
    name: "a history without end",
    html: script(
      "let n = 0; setInterval(() => { for (let i = 0; i < 50; i++) try { history.pushState({}, '', '#' + n++); } catch {} }, 1)",
    ),
    becomes: ["body"],
    isQuick: false,
  },
  {
    name: "a hundred megabytes of elements",
    html: script(
      "for (let i = 0; i < 100; i++) { const d = document.createElement('div'); d.innerHTML = '<i>0123456789</i>'.repeat(60000); document.body.append(d); }",
    ),
    becomes: ["refused size", "failed render.crash", "failed render.timeout"],
    isQuick: false,
  },
  {
    name: "elements nested a hundred thousand deep",
    html: script(
      "let at = document.createElement('div'); const top = at; for (let i = 0; i < 1e5; i++) { const next = document.createElement('b'); at.append(next); at = next; } document.body.append(top);",
    ),
    becomes: ["body", "failed render.crash", "failed render.timeout"],
    isQuick: false,
  },
  {
    name: "elements that come and go",
    html: script(
      "const p = document.createElement('p'); document.body.append(p); setInterval(() => { p.innerHTML = '<i></i>'.repeat(500); }, 1)",
    ),
    becomes: ["body"],
    isQuick: false,
  },
  {
    name: "elements that only come",
    html: script("setInterval(() => document.body.append(document.createElement('p')), 5)"),
    becomes: ["body"],
    isQuick: false,
  },
  { name: "a title of five megabytes", html: script("document.title = 'x'.repeat(5e6)"), becomes: ["body"], isQuick: false },
  {
    name: "frames of data and blobs",
    html: script(
      "for (let i = 0; i < 50; i++) { const f = document.createElement('iframe'); f.src = i % 2 ? 'data:text/html,<a href=/data>d</a>' : URL.createObjectURL(new Blob(['<a href=/blob>b</a>'], { type: 'text/html' })); document.body.append(f); }",
    ),
    becomes: ["body"],
    isQuick: false,
  },
  {
    name: "frames in itself",
    html: script("const f = document.createElement('iframe'); f.src = location.href + '?' + Math.random(); document.body.append(f)"),
    becomes: ["body"],
    isQuick: false,
  },
  { name: "writing without end", html: script("setInterval(() => document.write('<p>more'), 5)"), becomes: ["body"], isQuick: false },
  {
    name: "a document that never ends",
    serve: (_, answer) => {
      answer.writeHead(200, { "content-type": "text/html" }).write("<p>begins");
      const timer = setInterval(() => answer.write("<p>more"), 100);
      answer.once("close", () => clearInterval(timer));
    },
    becomes: ["failed timeout"],
    isQuick: false,
  },
  {
    name: "a document larger than any",
    serve: (_, answer) => {
      answer.writeHead(200, { "content-type": "text/html" });
      const more = () => {
        while (!answer.destroyed && answer.write("<p>more".repeat(10_000)));
      };
      answer.on("drain", more);
      more();
    },
    becomes: ["refused size"],
    isQuick: true,
  },
  {
    name: "not letting go",
    html: script("onbeforeunload = (e) => { e.preventDefault(); return 'stay'; }; onunload = () => { for (;;); }"),
    becomes: ["body"],
    isQuick: false,
  },
  { name: "a service worker", html: script("navigator.serviceWorker?.register('/worker.js')"), becomes: ["body"], isQuick: false },
  {
    name: "a hundred thousand timers",
    html: script("for (let i = 0; i < 1e5; i++) setInterval(() => i, 1)"),
    becomes: ["body", "failed render.timeout"],
    isQuick: false,
  },
  {
    name: "requests without end",
    html: script(
      "let n = 0; const go = () => { for (let i = 0; i < 20; i++) fetch('/data/' + n++).catch(() => 0); setTimeout(go, 1); }; go()",
    ),
    becomes: ["body"],
    isQuick: false,
  },
  {
    name: "data without end",
    html: script("fetch('/stream').then(async (r) => { for await (const part of r.body); })"),
    becomes: ["body"],
    isQuick: false,
  },
  {
    name: "everything it can lay hands on changed",
    html: script(
      "for (const k of ['push', 'map', 'at', 'pop', Symbol.iterator]) Array.prototype[k] = () => { throw 1; }; JSON.stringify = JSON.parse = () => 'no'; Document.prototype.querySelectorAll = () => []; document.createElement = null; for (const k of ['firstChild', 'nextSibling', 'nodeType']) Node.prototype.__defineGetter__(k, () => null); String.prototype.replace = () => 'no'; Object.defineProperty(document, 'documentElement', { get: () => null }); window.scrollTo = null; window.setTimeout = null; Set.prototype.has = () => true",
    ),
    becomes: ["body"],
    isQuick: false,
  },
];
