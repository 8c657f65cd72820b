import { describe, expect, test } from "vitest";
import type { Turn } from "../../../core/records.ts";
import type { RenderRequest } from "../engine.ts";
import type { ExitProxy } from "./exit-proxy.ts";
import { type BrowserRequest, RenderJob } from "./render-job.ts";

const open = new Set<string>();
const exit: ExitProxy = {
  url: "http://127.0.0.1:1",
  open(place) {
    open.add(place);
    return () => open.delete(place);
  },
  lastErrorAt: () => undefined,
  close: async () => undefined,
};

function errandFor(more: Partial<RenderRequest> = {}): { errand: RenderJob; turn: Turn } {
  const turn = { host: "site.test", spent: false };
  const ask = { url: "http://site.test/page", document: turn, refusal: () => undefined, wantsPicture: false, ...more };
  return { errand: new RenderJob(ask, exit), turn };
}

const main = (url = "http://site.test/page"): BrowserRequest => ({ url, method: "GET", kind: "document", isMain: true });
const part = (more: Partial<BrowserRequest> = {}): BrowserRequest => ({
  url: "http://site.test/a.js",
  method: "GET",
  kind: "script",
  isMain: false,
  ...more,
});

describe("what a page may ask for", () => {
  test.each<[string, BrowserRequest, string]>([
    ["its scripts", part(), "go"],
    ["data of other hosts", part({ url: "https://api.test/x", kind: "data" }), "go"],
    ["frames of its own host", part({ kind: "document" }), "go"],
    ["no frames of others, whose turn it is not", part({ kind: "document", url: "http://other.test/" }), "stop"],
    ["nothing but GET", part({ method: "POST", kind: "data" }), "stop"],
    ["nothing it does not need to be read", part({ kind: undefined }), "stop"],
    ["no images, while nobody wants a picture", part({ kind: "image" }), "stop"],
    ["nothing that is not of the web", part({ url: "ftp://site.test/a.js" }), "stop"],
  ])("%s", (_, asked, permission) => {
    const { errand } = errandFor();
    errand.permit(main());
    expect(errand.permit(asked)).toBe(permission);
  });

  test("images where a picture is wanted", () =>
    expect(errandFor({ wantsPicture: true }).errand.permit(part({ kind: "image" }))).toBe("go"));

  test("what the crawl refuses is stopped and counted", () => {
    const { errand } = errandFor({ refusal: ({ kind }) => (kind === "data" ? "robots" : undefined) });
    expect([errand.permit(part({ kind: "data" })), errand.permit(part())]).toEqual(["stop", "go"]);
    expect([errand.requests, errand.refused]).toEqual([1, 1]);
  });

  test("no more than is sensible", () => {
    const { errand } = errandFor();
    const said = Array.from({ length: 300 }, (_, n) => errand.permit(part({ url: `http://site.test/${n}.js` })));
    expect(said.filter((one) => one === "go").length).toBe(200);
    errand.addBytes(51 * 1024 ** 2);
    expect(errand.hasTooManyBytes).toBe(true);
  });
});

test("the document spends the turn when it is asked for, and once", () => {
  const { errand, turn } = errandFor();
  expect(turn.spent).toBe(false);
  expect(errand.permit(main())).toBe("go");
  expect(turn.spent).toBe(true);
  expect(errand.permit(main())).toBe("stop");
});

test("places and addresses are open while the page is", () => {
  open.clear();
  const { errand } = errandFor();
  errand.permit(main());
  errand.permit(part({ url: "https://api.test/x#y" }));
  expect([...open]).toEqual(["site.test:80", "http://site.test/page", "api.test:443", "https://api.test/x"]);
  errand.close();
  expect([...open]).toEqual([]);
});

test("where a page wants to go is kept, unless it is where it is", () => {
  const { errand } = errandFor();
  errand.permit(main());
  for (const url of ["http://site.test/page#top", "http://site.test/next", "mailto:x@site.test"]) errand.permit(main(url));
  expect([...errand.targets]).toEqual(["http://site.test/next"]);
});

test("a page that leaves again and again, or asks for what it does not get, is a storm", () => {
  const leaving = errandFor().errand;
  for (let n = 0; n < 12; n += 1) leaving.startNavigation("http://site.test/page", "GET");
  const asking = errandFor().errand;
  for (let n = 0; n < 301; n += 1) asking.permit(part({ method: "POST" }));
  expect([leaving.hasTooManyAttempts, asking.hasTooManyAttempts, errandFor().errand.hasTooManyAttempts]).toEqual([true, true, false]);
});

test("data on its way keeps a page busy until it ends", () => {
  const { errand } = errandFor();
  errand.requestStarted("1", "data");
  errand.requestStarted("2", undefined);
  expect(errand.isBusy).toBe(true);
  errand.requestEnded("1");
  expect(errand.isBusy).toBe(false);
});
