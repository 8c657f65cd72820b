import { describe, expect, test } from "vitest";
import type { Turn } from "../records.ts";
import type { RenderAsk } from "./engine.ts";
import { type Asked, Errand } from "./errand.ts";
import type { Exit } from "./exit.ts";

const open = new Set<string>();
const exit: Exit = {
  url: "http://127.0.0.1:1",
  open(place) {
    open.add(place);
    return () => open.delete(place);
  },
  troubleAt: () => undefined,
  close: async () => undefined,
};

function errandFor(more: Partial<RenderAsk> = {}): { errand: Errand; turn: Turn } {
  const turn = { host: "site.test", spent: false };
  const ask = { url: "http://site.test/page", document: turn, refusal: () => undefined, wantsPicture: false, ...more };
  return { errand: new Errand(ask, exit), turn };
}

const main = (url = "http://site.test/page"): Asked => ({ url, method: "GET", kind: "document", isMain: true });
const part = (more: Partial<Asked> = {}): Asked => ({
  url: "http://site.test/a.js",
  method: "GET",
  kind: "script",
  isMain: false,
  ...more,
});

describe("what a page may ask for", () => {
  test.each<[string, Asked, string]>([
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
    errand.got(51 * 1024 ** 2);
    expect(errand.hasEnough).toBe(true);
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
  for (let n = 0; n < 12; n += 1) leaving.setOut("http://site.test/page", "GET");
  const asking = errandFor().errand;
  for (let n = 0; n < 301; n += 1) asking.permit(part({ method: "POST" }));
  expect([leaving.isStorming, asking.isStorming, errandFor().errand.isStorming]).toEqual([true, true, false]);
});

test("data on its way keeps a page busy until it ends", () => {
  const { errand } = errandFor();
  errand.began("1", "data");
  errand.began("2", undefined);
  expect(errand.isBusy).toBe(true);
  errand.ended("1");
  expect(errand.isBusy).toBe(false);
});
