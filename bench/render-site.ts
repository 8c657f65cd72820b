/** A shop that is made by its scripts: each page has a shell, a script that all share, and a list that is fetched. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export const ITEMS = 40;

const shell = `<!DOCTYPE html><title>Shop</title><main id="app"></main><script src="/app.js"></script>`;
const app = `fetch("/api" + location.pathname).then((r) => r.json()).then(({ title, items }) => {
  document.title = title;
  app.innerHTML = "<h1>" + title + "</h1><ul>" + items.map((n) => '<li><a href="/page/' + n + '">Thing ' + n + "</a><p>" + "A thing among others. ".repeat(20) + "</p></li>").join("") + "</ul>";
});`;

export interface RenderSite {
  readonly origin: string;
  readonly requests: () => number;
  close(): void;
}

export async function serveShop(): Promise<RenderSite> {
  let requests = 0;
  const server = createServer((asked, answer) => {
    requests += 1;
    const path = asked.url ?? "";
    const say = (type: string, text: string) => answer.writeHead(200, { "content-type": type, "cache-control": "max-age=600" }).end(text);
    if (path === "/app.js") return say("text/javascript", app);
    if (!path.startsWith("/api/")) return say("text/html", shell);
    const page = Number(path.split("/").at(-1));
    const items = Array.from({ length: ITEMS }, (_, at) => page * ITEMS + at);
    return say("application/json", JSON.stringify({ title: `Page ${page}`, items }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: () => requests,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
