/** The dashboard: one page for every view, its files, and the page that asks for a key. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type Access, COOKIE } from "./access.ts";
import { packedFiles, sendFile } from "./packed-files.ts";
import { Problem } from "./problem.ts";

/** Nothing from elsewhere, nothing inline. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";
/** Of a page that says nowhere where it is, browsers send forms from nowhere (`Origin: null`), and those are refused. */
const PAGE = { "content-security-policy": POLICY, "referrer-policy": "same-origin" };
const VIEWS = ["/", "/crawls", "/links", "/changes", "/pages", "/structure", "/hosts", "/playground", "/settings"];

/** What the login page looks like is no secret. */
const OPEN_FILES = new Set(["app.css", "icon.svg"]);

const files = packedFiles("dashboard");

/** A browser that shows a page, and not one that asks the API. */
export const isForPeople = ({ method, url, headers }: FastifyRequest): boolean =>
  method === "GET" && files.has("index.html") && /\btext\/html\b/.test(headers.accept ?? "") && !/^\/(api|assets)\//.test(url);

/** The dashboard, which shows whatever stands in the URL; or the login. */
export async function sendView(request: FastifyRequest, reply: FastifyReply, access: Access, status = 200): Promise<FastifyReply> {
  reply.headers(PAGE);
  if (!(await mayRead(request, access))) return sendLogin(reply, 401, request.url);
  return sendFile(request, reply.code(status), files.get("index.html")!);
}

export function addDashboard(front: FastifyInstance, access: Access): void {
  if (!files.has("index.html")) return;
  const view = (request: FastifyRequest, reply: FastifyReply) => sendView(request, reply, access);
  for (const path of VIEWS) {
    front.get(path, view);
    if (path !== "/") front.get(`${path}/*`, view);
  }
  front.get("/assets/:name", {
    onRequest: async (request) => {
      if (!OPEN_FILES.has((request.params as { name: string }).name)) await access.check(request.headers, "read");
    },
    handler: (request, reply) => {
      const file = files.get((request.params as { name: string }).name);
      return file ? sendFile(request, reply, file) : reply.callNotFound();
    },
  });
  // A form is nothing that the API takes: what reads one is for the login alone.
  front.register(async (inner) => addLogin(inner, access));
}

function addLogin(front: FastifyInstance, access: Access): void {
  front.addContentTypeParser("application/x-www-form-urlencoded", { parseAs: "string", bodyLimit: 4096 }, (_, body, done) =>
    done(null, Object.fromEntries(new URLSearchParams(body as string))),
  );
  front.get("/login", (request, reply) => sendLogin(reply, 200, (request.query as { to?: unknown }).to));
  front.post("/login", async (request, reply) => {
    const { key, to } = (request.body ?? {}) as { key?: string; to?: string };
    if (typeof key !== "string" || !/^nh_[\w-]{20,100}$/.test(key)) return sendLogin(reply, 401, to, "That is not a key.");
    if (!(await mayRead({ headers: { authorization: `Bearer ${key}` } }, access)))
      return sendLogin(reply, 401, to, "This key is not known here.");
    return reply.header("set-cookie", cookie(request, key, 30 * 86_400)).redirect(placeHere(to), 303);
  });
  front.post("/logout", async (request, reply) => {
    reply.header("set-cookie", cookie(request, "", 0));
    return (await mayRead(request, access)) ? reply.redirect("/login", 303) : sendLogin(reply, 401, "/");
  });
}

/** Where somebody wanted to go, if that is a screen of this server: a link to the login must not lead elsewhere. */
function placeHere(to: unknown): string {
  const here = "http://here.invalid";
  if (typeof to !== "string" || !to.startsWith("/") || to.length > 2000 || !URL.canParse(to, here)) return "/";
  const { origin, pathname, search } = new URL(to, here);
  return origin === here && !/^\/(\/|log(in|out)\b)/.test(pathname) ? pathname + search : "/";
}

/** Whether a proxy before us speaks TLS only that proxy can say; who lies about it harms himself. */
const cookie = ({ headers }: FastifyRequest, key: string, seconds: number) =>
  `${COOKIE}=${key}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${headers["x-forwarded-proto"] === "https" ? "; Secure" : ""}`;

/** False where a key is wanted. */
export async function mayRead({ headers }: Pick<FastifyRequest, "headers">, access: Access): Promise<boolean> {
  try {
    await access.check(headers, "read");
    return true;
  } catch (cause) {
    if (cause instanceof Problem && cause.status === 401) return false;
    throw cause;
  }
}

const inHtml = (text: string) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** Without script, so that it works where nothing else is open yet. */
export const sendLogin = (reply: FastifyReply, status: number, to: unknown, said = "") =>
  reply
    .code(status)
    .headers({ ...PAGE, "cache-control": "no-store" })
    .type("text/html; charset=utf-8")
    .send(
      `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><link rel="icon" href="/assets/icon.svg"><link rel="stylesheet" href="/assets/app.css"><title>Log in · Nuthatch</title></head>` +
        `<body><main class="login"><h1><img src="/assets/icon.svg" alt="" width="32" height="32"> Nuthatch</h1><p>This server wants a key. <code>nuthatch keys create</code> makes one.</p>${said && `<p class="trouble" role="alert"><strong>${said}</strong></p>`}` +
        `<form class="form" method="post" action="/login"><input type="hidden" name="to" value="${inHtml(placeHere(to))}"><label>Key <input name="key" type="password" autocomplete="current-password" required autofocus></label><p><button class="main">Log in</button></p></form></main></body></html>`,
    );
