/** The dashboard: one HTML page for all views, its asset files, and the login page. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type Access, COOKIE } from "./access.ts";
import { packedFiles, sendFile } from "./packed-files.ts";
import { Problem } from "./problem.ts";

/** Only resources of this origin, and no inline scripts or styles. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";
/** With `no-referrer`, browsers send forms with `Origin: null`, which the origin check refuses. */
const PAGE_HEADERS = { "content-security-policy": POLICY, "referrer-policy": "same-origin" };
const VIEWS = ["/", "/crawls", "/links", "/changes", "/pages", "/structure", "/hosts", "/playground", "/settings"];

/** Assets of the login page, served without a key. */
const PUBLIC_FILES = new Set(["app.css", "icon.svg"]);

const files = packedFiles("dashboard");

/** True for a browser that navigates to a page, false for an API client. */
export const isPageRequest = ({ method, url, headers }: FastifyRequest): boolean =>
  method === "GET" && files.has("index.html") && /\btext\/html\b/.test(headers.accept ?? "") && !/^\/(api|assets)\//.test(url);

/** Sends the dashboard, whose script renders the view named by the URL; or the login page if a key is missing. */
export async function sendView(request: FastifyRequest, reply: FastifyReply, access: Access, status = 200): Promise<FastifyReply> {
  reply.headers(PAGE_HEADERS);
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
      if (!PUBLIC_FILES.has((request.params as { name: string }).name)) await access.check(request.headers, "read");
    },
    handler: (request, reply) => {
      const file = files.get((request.params as { name: string }).name);
      return file ? sendFile(request, reply, file) : reply.callNotFound();
    },
  });
  // In a scope of its own, so that only the login accepts form bodies; the API does not.
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
    return reply.header("set-cookie", cookie(request, key, 30 * 86_400)).redirect(safeReturnPath(to), 303);
  });
  front.post("/logout", async (request, reply) => {
    reply.header("set-cookie", cookie(request, "", 0));
    return (await mayRead(request, access)) ? reply.redirect("/login", 303) : sendLogin(reply, 401, "/");
  });
}

/** The path to return to after login. Only paths of this server are accepted, so that a login link cannot redirect elsewhere. */
function safeReturnPath(to: unknown): string {
  const base = "http://here.invalid";
  if (typeof to !== "string" || !to.startsWith("/") || to.length > 2000 || !URL.canParse(to, base)) return "/";
  const { origin, pathname, search } = new URL(to, base);
  return origin === base && !/^\/(\/|log(in|out)\b)/.test(pathname) ? pathname + search : "/";
}

/** Only the proxy in front of us knows whether the client uses TLS. A client that forges the header affects only its own cookie. */
const cookie = ({ headers }: FastifyRequest, key: string, seconds: number) =>
  `${COOKIE}=${key}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${headers["x-forwarded-proto"] === "https" ? "; Secure" : ""}`;

/** False if a key is missing or unknown. */
export async function mayRead({ headers }: Pick<FastifyRequest, "headers">, access: Access): Promise<boolean> {
  try {
    await access.check(headers, "read");
    return true;
  } catch (cause) {
    if (cause instanceof Problem && cause.status === 401) return false;
    throw cause;
  }
}

const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** Works without scripts, so that no other file has to be served without a key. */
export const sendLogin = (reply: FastifyReply, status: number, to: unknown, message = "") =>
  reply
    .code(status)
    .headers({ ...PAGE_HEADERS, "cache-control": "no-store" })
    .type("text/html; charset=utf-8")
    .send(
      `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><link rel="icon" href="/assets/icon.svg"><link rel="stylesheet" href="/assets/app.css"><title>Log in · Nuthatch</title></head>` +
        `<body><main class="login"><h1><img src="/assets/icon.svg" alt="" width="32" height="32"> Nuthatch</h1><p>This server wants a key. <code>nuthatch keys create</code> makes one.</p>${message && `<p class="trouble" role="alert"><strong>${message}</strong></p>`}` +
        `<form class="form" method="post" action="/login"><input type="hidden" name="to" value="${escapeHtml(safeReturnPath(to))}"><label>Key <input name="key" type="password" autocomplete="current-password" required autofocus></label><p><button class="main">Log in</button></p></form></main></body></html>`,
    );
