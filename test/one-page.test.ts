import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { tempFolder } from "./cli.ts";
import { nuthatchHere } from "./in-process.ts";

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

async function serve(pages: Record<string, string>, address: string): Promise<string> {
  const server = createServer(({ url = "" }, response) => {
    const page = pages[url];
    response.writeHead(page ? 200 : 404, { "content-type": "text/html" }).end(page ?? "nothing");
  });
  await new Promise<void>((resolve) => server.listen(0, address, resolve));
  closers.push(() => server.close());
  return `http://${address}:${(server.address() as AddressInfo).port}`;
}

const words = (about: string) =>
  Array.from({ length: 60 }, (_, at) => `${about} has a part number ${at} that is called ${about.slice(at % 5)}${at * 7}`).join(". ");
const page = (about: string, links: readonly string[], more = "") =>
  `<!doctype html><title>${about}</title><main><h1>${about}</h1><p>${words(about)}.</p><p>${more}</p></main>${links.map((url) => `<a href="${url}">${url}</a>`).join(" ")}`;

test("a page that was edited is not nearly the same as itself, but as others still", async () => {
  using folder = tempFolder();
  const how = { cwd: folder.path };
  const pages = { "/": page("Bridges", ["/copy"]), "/copy": page("Bridges", ["/"], "A copy.") };
  const origin = await serve(pages, "127.0.2.47");
  const look = async () => {
    await nuthatchHere(["crawl", `${origin}/`, "--rate-limit", "none", "-q"], how);
    const [home, copy] = await Promise.all(
      ["/", "/copy"].map(async (path) => JSON.parse((await nuthatchHere(["show", `${origin}${path}`, "--json"], how)).stdout)),
    );
    return { home: home.page.nearDuplicateOf, copy: copy.page.nearDuplicateOf };
  };
  expect(await look()).toEqual({ home: null, copy: `${origin}/` });
  pages["/"] = page("Bridges", ["/copy"], "One more word.");
  expect(await look()).toEqual({ home: `${origin}/copy`, copy: `${origin}/` });
});

test("one page under two addresses, and on two hosts, is told once and counted and kept twice", async () => {
  using folder = tempFolder();
  const how = { cwd: folder.path };
  const pages: Record<string, string> = { "/": page("Home", ["/about"]), "/about": page("About us", ["/"]) };
  const [first, second] = [await serve(pages, "127.0.2.48"), await serve(pages, "127.0.2.49")];
  const crawled = () => nuthatchHere(["crawl", `${first}/`, `${second}/`, "--rate-limit", "none", "-q"], how);
  const changed = async () => {
    const { counts, pages } = JSON.parse((await nuthatchHere(["changes", "--json"], how)).stdout);
    return { ...counts, pages: pages.map(({ change, alsoOn }: { change: string; alsoOn: string[] }) => [change, alsoOn.length]) };
  };
  await crawled();
  pages["/about"] = page("About us", ["/", "/new", "/new/index.html"]);
  pages["/new"] = pages["/new/index.html"] = page("News", ["/"]);
  await crawled();
  expect(await changed()).toMatchObject({
    new: 4,
    changed: 2,
    pages: expect.arrayContaining([["new", 3]]),
  });
  const listed = JSON.parse((await nuthatchHere(["pages", "--json"], how)).stdout).pages as { url: string }[];
  expect(listed).toHaveLength(8);
});

test("a new version in all titles is told once, and what else a page says anew by itself", async () => {
  using folder = tempFolder();
  const how = { cwd: folder.path };
  const names = ["Queues", "Templates", "Modules", "Filters"];
  const manual = (version: string): Record<string, string> =>
    Object.fromEntries([
      [
        "/",
        page(
          "Home",
          names.map((name) => `/${name}`),
        ).replace("</title>", ` — Manual ${version}</title>`),
      ],
      ...names.map((name) => [`/${name}`, page(name, ["/"]).replace("</title>", ` — Manual ${version} of us</title>`)]),
    ]);
  const pages = manual("8.2");
  const origin = await serve(pages, "127.0.2.50");
  const crawled = () => nuthatchHere(["crawl", `${origin}/`, "--rate-limit", "none", "-q"], how);
  await crawled();
  Object.assign(pages, manual("8.4"), {
    "/Filters": page("Filters", ["/"]).replace("Filters</title>", "All filters — Manual 8.4 of us</title>"),
  });
  await crawled();
  const { counts, pages: told } = JSON.parse((await nuthatchHere(["changes", "--json"], how)).stdout);
  expect(counts).toMatchObject({ changed: 5 });
  expect(told.map(({ url, alsoOn }: { url: string; alsoOn: string[] }) => [url, alsoOn.length]).sort()).toEqual([
    [`${origin}/`, 0],
    [`${origin}/Filters`, 0],
    [`${origin}/Modules`, 2],
  ]);
});
