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

export function addDashboard(front: FastifyInstance, access: Access): void {
  const files = packedFiles("dashboard");
  const page = files.get("index.html");
  if (!page) return;
  const view = async (request: FastifyRequest, reply: FastifyReply) => {
    reply.headers(PAGE);
    return (await mayRead(request, access)) ? sendFile(request, reply, page) : sendLogin(reply, 401);
  };
  for (const path of VIEWS) {
    front.get(path, view);
    if (path !== "/") front.get(`${path}/*`, view);
  }
  front.get("/assets/:name", {
    onRequest: (request) => access.check(request.headers, "read"),
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
  front.get("/login", (_, reply) => sendLogin(reply, 200));
  front.post("/login", async (request, reply) => {
    const { key } = (request.body ?? {}) as { key?: string };
    if (typeof key !== "string" || !/^nh_[\w-]{20,100}$/.test(key)) return sendLogin(reply, 401, "That is not a key.");
    if (!(await mayRead({ headers: { authorization: `Bearer ${key}` } }, access)))
      return sendLogin(reply, 401, "This key is not known here.");
    return reply.header("set-cookie", cookie(request, key, 30 * 86_400)).redirect("/", 303);
  });
  front.post("/logout", async (request, reply) => {
    reply.header("set-cookie", cookie(request, "", 0));
    return (await mayRead(request, access)) ? reply.redirect("/login", 303) : sendLogin(reply, 401);
  });
}

/** Whether a proxy before us speaks TLS only that proxy can say; who lies about it harms himself. */
const cookie = ({ headers }: FastifyRequest, key: string, seconds: number) =>
  `${COOKIE}=${key}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${headers["x-forwarded-proto"] === "https" ? "; Secure" : ""}`;

async function mayRead({ headers }: Pick<FastifyRequest, "headers">, access: Access): Promise<boolean> {
  try {
    await access.check(headers, "read");
    return true;
  } catch (cause) {
    if (cause instanceof Problem && cause.status === 401) return false;
    throw cause;
  }
}

/** Without script and without style, so that it needs nothing that is closed. */
const sendLogin = (reply: FastifyReply, status: number, said = "") =>
  reply
    .code(status)
    .headers({ ...PAGE, "cache-control": "no-store" })
    .type("text/html; charset=utf-8")
    .send(
      `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><link rel="icon" href="data:,"><title>Nuthatch: log in</title></head>` +
        `<body><main><h1>Nuthatch</h1><p>This server wants a key. <code>nuthatch keys create</code> makes one.</p>${said && `<p role="alert"><strong>${said}</strong></p>`}` +
        `<form method="post" action="/login"><label>Key <input name="key" type="password" autocomplete="current-password" required size="50"></label> <button>Log in</button></form></main></body></html>`,
    );
