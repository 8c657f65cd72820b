/** Interactive API documentation (Swagger UI), from files included at build time. */
import type { FastifyInstance } from "fastify";
import type { Access } from "./access.ts";
import { mayRead, sendLogin } from "./dashboard-files.ts";
import { packedFiles, sendFile } from "./packed-files.ts";

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'";

export function addDocs(front: FastifyInstance, access: Access, withLogin: boolean): void {
  const files = packedFiles("docs-ui");
  const onRequest = (request: { headers: Parameters<Access["check"]>[0] }) => access.check(request.headers, "read");
  const serve = (path: string, name: string) => {
    const file = files.get(name);
    if (file)
      front.get(path, { onRequest, handler: (request, reply) => sendFile(request, reply.header("content-security-policy", POLICY), file) });
  };
  const page = files.get("index.html");
  if (page)
    front.get("/docs", async (request, reply) => {
      if (!withLogin) await access.check(request.headers, "read");
      else if (!(await mayRead(request, access))) return sendLogin(reply, 401, request.url);
      return sendFile(request, reply.header("content-security-policy", POLICY), page);
    });
  for (const name of files.keys()) serve(`/docs/${name}`, name);
}
