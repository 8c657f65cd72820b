import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { BlockHashes } from "../../core/records.ts";
import { hash64, suspect, TrapGuard } from "./index.ts";

const TOKEN = "9fceb02d0ae598e95dc970b74767f193";

describe("suspicion", () => {
  test.each([
    ["a segment three times", "http://t.test/a/b/a/c/a", undefined, "trap.repeat"],
    ["a pair three times", "http://t.test/x/y/x/y/x/y", undefined, "trap.repeat"],
    ["a path that comes back to a segment", "http://t.test/a/b/a/", "http://t.test/a/b/", "trap.growing"],
    ["a deep path that grows", "http://t.test/a/b/c/", "http://t.test/a/b/", "trap.growing"],
    ["filters that add up", "http://t.test/l?a=x&b=y", "http://t.test/l?a=x", "trap.growing"],
    ["year and month", "http://t.test/cal/2024/05", undefined, "trap.calendar"],
    ["year, month, day and a view", "http://t.test/cal/2024/05/06/list", undefined, "trap.calendar"],
    ["a month below its year", "http://t.test/cal/2024/05", "http://t.test/cal/2024/", "trap.calendar"],
    ["a page below its list", "http://t.test/blog/cats/page/7/", "http://t.test/blog/cats/", "trap.pagination"],
    ["a date in one segment", "http://t.test/events/2024-05", undefined, "trap.calendar"],
    ["a month by its name", "http://t.test/cal/may-2024", undefined, "trap.calendar"],
    ["a month by its name as parameter", "http://t.test/cal?month=2024-May", undefined, "trap.calendar"],
    ["a moment as parameter", "http://t.test/cal?t=1700000000", undefined, "trap.calendar"],
    ["a date as parameter", "http://t.test/cal?date=2024-05-06", undefined, "trap.calendar"],
    ["month and year as parameters", "http://t.test/cal?month=5&year=2024", undefined, "trap.calendar"],
    ["page as parameter", "http://t.test/list?page=7", undefined, "trap.pagination"],
    ["offset as parameter", "http://t.test/list?q=x&offset=40", undefined, "trap.pagination"],
    ["a start that counts", "http://t.test/list?start=40", undefined, "trap.pagination"],
    ["page in the path", "http://t.test/blog/page/7/", undefined, "trap.pagination"],
    ["a session in a path parameter", "http://t.test/a;jsessionid=ABC123", undefined, "trap.session"],
    ["a session as ASP.NET writes it", "http://t.test/(S(4hqa0555fwsecu455xqckv45))/a.aspx", undefined, "trap.session"],
    ["a session in a segment", `http://t.test/s/${TOKEN}/a`, undefined, "trap.session"],
    ["a session as parameter", `http://t.test/a?PHPSESSID=${TOKEN}`, undefined, "trap.session"],
  ])("%s", (_, url, parent, kind) => {
    expect(suspect(url, parent)?.kind).toBe(kind);
    expect(suspect(url, parent)?.template).toMatch(/^t\.test/);
  });

  test.each([
    ["a home page", "http://t.test/", undefined],
    ["a page of words", "http://t.test/docs/install", "http://t.test/docs/"],
    ["a post below its date", "http://t.test/2024/05/06/my-first-post", undefined],
    ["a year alone", "http://t.test/archive/2024", undefined],
    ["a topic by its number", "http://t.test/view?t=123456", undefined],
    ["a short id", "http://t.test/item?sid=7", undefined],
    ["a numbered item below its list", "http://t.test/shop/chairs/17", "http://t.test/shop/chairs/"],
    ["a segment twice, linked from elsewhere", "http://t.test/a/b/a", "http://t.test/"],
    ["one filter", "http://t.test/l?a=x", "http://t.test/l"],
  ])("none of: %s", (_, url, parent) => {
    expect(suspect(url, parent)).toBeUndefined();
  });

  test.each([
    ["growing paths", ["http://t.test/a/b/a/", "http://t.test/a/b/"], ["http://t.test/a/b/a/b/c/a/", "http://t.test/a/b/a/b/c/"]],
    ["all pages under session ids", [`http://t.test/a?sid=${TOKEN}`, undefined], [`http://t.test/b/c?sid=${TOKEN}1`, undefined]],
    ["all pages below a session", [`http://t.test/s/${TOKEN}/a`, undefined], [`http://t.test/s/${TOKEN}1/b`, undefined]],
    ["selections of one list", ["http://t.test/l?a=x&b=y", "http://t.test/l?a=x"], ["http://t.test/l?b=z&c=1", "http://t.test/l?b=z"]],
    ["months that have names", ["http://t.test/cal/may-2024", undefined], ["http://t.test/cal/june-2031", undefined]],
    ["months that have names below their year", ["http://t.test/cal/2024/may", undefined], ["http://t.test/cal/2031/june", undefined]],
    ["months of one calendar", ["http://t.test/cal/2024/05", undefined], ["http://t.test/cal/2031/12", undefined]],
  ] as [string, [string, string | undefined], [string, string | undefined]][])("one trap: %s", (_, one, other) => {
    expect(suspect(...one)?.template).toBe(suspect(...other)?.template);
  });

  test("never throws, whatever the URL", () => {
    fc.assert(fc.property(fc.webUrl({ withQueryParameters: true }), fc.webUrl(), (url, parent) => void suspect(url, parent)));
    fc.assert(fc.property(fc.string(), fc.string(), (url, parent) => void suspect(url, parent)));
  });
});

const block = (text: string) => hash64(text, { hi: 1, lo: 2 }).lo;
const frame = ["logo", "menu", "search", "footer", "imprint", "contact"].map(block);
const same = (blocks: Uint32Array): BlockHashes => ({ raw: blocks, unlinked: blocks, masked: blocks });
const page = (...texts: string[]) => same(Uint32Array.from([...frame, ...texts.map(block)]));
/** A page that differs from others only by the text of its URL. */
const echo = (text: string): BlockHashes => ({ ...page(text), masked: page("echo").raw });
/** Three sentences. */
const sentences = (text: string) => [1, 2, 3].map((n) => `${text} ${n}`);

/** Visits until the guard refuses; returns the number, or undefined if it never does. */
function cutAfter(urls: (n: number) => [string, string?], blocks: (n: number) => BlockHashes, most = 400): number | undefined {
  const guard = new TrapGuard();
  for (let n = 0; n < most; n++) {
    const [url, parent] = urls(n);
    const suspicion = suspect(url, parent);
    if (!suspicion) continue;
    if (!guard.admit(suspicion)) return n;
    guard.learn(suspicion, blocks(n));
  }
  return undefined;
}

const listed = (n: number): [string] => [`http://t.test/list?page=${n}`];
const month = (n: number): [string] => [`http://t.test/cal/${2024 + Math.floor(n / 12)}/${1 + (n % 12)}`];

describe("the guard", () => {
  test.each([
    ["a calendar of empty months", month, () => page("month", "weekdays")],
    ["the same list on every page", listed, () => page("item 1", "item 2", "item 3")],
    ["a list that ends and goes on empty", listed, (n) => (n < 20 ? page(`item ${n}`) : page("nothing here"))],
    ["a list that begins again and again", listed, (n) => page(`item ${n % 10}`)],
    ["pages without any text", listed, () => same(new Uint32Array())],
    [
      "a quote that changes on a page that does not",
      listed,
      (n) => page(...Array.from({ length: 20 }, (_, i) => `fixed ${i}`), `quote ${n}`),
    ],
    ["a path that grows", (n) => [`http://t.test/${"a/b/".repeat(n + 2)}`, `http://t.test/${"a/b/".repeat(n + 1)}`], () => page("same")],
    ["sessions over a site of five pages", (n) => [`http://t.test/p${n % 5}?sid=${TOKEN}${n}`], (n) => page(`text ${n % 5}`)],
    [
      "filters over one list",
      (n) => [`http://t.test/l?a=${n}&b=${n * 7}`, "http://t.test/l?a=0"],
      (n) => page(`item ${n % 4}`, `item ${(n * 3) % 4}`),
    ],
    [
      "filters that add up and say so",
      (n) => [`http://t.test/l?a=1&${["b", "c", "d", "e"].filter((_, bit) => (n >> bit) & 1).join("=1&")}`, "http://t.test/l?a=1"],
      (n) => echo(`selection ${n}`),
    ],
    ["a calendar whose days say nothing but their date", month, (n) => echo(`month ${n}`)],
    ["a calendar with a word of the day", month, (n) => page("month", "weekdays", "nothing", `word ${n}`)],
  ] as [string, (n: number) => [string, string?], (n: number) => BlockHashes][])("leaves %s within 40 visits", (_, urls, blocks) => {
    expect(cutAfter(urls, blocks)).toBeLessThanOrEqual(40);
  });

  test.each([
    ["an archive with new items on every page", listed, (n) => page(`item ${3 * n}`, `item ${3 * n + 1}`, `item ${3 * n + 2}`)],
    ["an archive with one new line a page", listed, (n) => page(`item ${n}`)],
    ["a calendar with an event in every month", month, (n) => page("month", "weekdays", ...sentences(`event ${n}`))],
    ["a calendar with an event in every fifth month", month, (n) => page("month", ...sentences(`event ${Math.floor(n / 5)}`))],
    ["a site whose every URL has a session", (n) => [`http://t.test/p${n}?sid=${TOKEN}`], (n) => page(`text ${n}`)],
    ["a deep tree of documents", (n) => [`http://t.test/d/v${n}/x/intro`, `http://t.test/d/v${n}/`], (n) => page(`version ${n}`)],
    [
      "items with two parameters that say nothing but their number",
      (n) => [`http://t.test/item?id=${n}&lang=en`, "http://t.test/item?id=0&lang=en"],
      (n) => echo(`item ${n}`),
    ],
    [
      "documents named by tokens that say nothing but their number",
      (n) => [`http://t.test/doc/${TOKEN}${n}`],
      (n) => echo(`document ${n}`),
    ],
    ["a list that says nothing but its number", listed, (n) => echo(`page ${n}`)],
  ] as [string, (n: number) => [string, string?], (n: number) => BlockHashes][])("stays with %s", (_, urls, blocks) => {
    expect(cutAfter(urls, blocks)).toBeUndefined();
  });

  const list = suspect("http://t.test/list?page=1", undefined)!;
  const other = suspect("http://t.test/other?page=1", undefined)!;

  test("one trap does not close another list", () => {
    const guard = new TrapGuard();
    for (let n = 0; n < 40; n++) guard.learn(list, page("same"));
    expect(guard.admit(list)).toBe(false);
    expect(guard.admit(other)).toBe(true);
  });

  test("remembers through a snapshot that is plain data", () => {
    const undisturbed = new TrapGuard();
    let resumed = new TrapGuard();
    for (let n = 0; n < 40; n++) {
      for (const guard of [undisturbed, resumed]) {
        guard.learn(list, page("same"));
        guard.learn(other, page(`new ${n}`));
      }
      const next = new TrapGuard();
      next.restore(JSON.parse(JSON.stringify(resumed.snapshot())));
      resumed = next;
      expect(resumed.admit(list)).toBe(undisturbed.admit(list));
      expect(resumed.snapshot()).toEqual(undisturbed.snapshot());
    }
    expect(resumed.admit(list)).toBe(false);
    expect(resumed.admit(other)).toBe(true);
  });

  test("forgets the oldest, never more than it may hold", () => {
    const guard = new TrapGuard({ maxTemplates: 3, maxBlocks: 10, maxBlocksInAll: 40 });
    for (let n = 0; n < 100; n++)
      guard.learn({ ...list, template: `t${n % 7}` }, same(Uint32Array.from({ length: 12 }, (_, i) => n * 12 + i)));
    const { templates } = guard.snapshot();
    expect(templates.length).toBeLessThanOrEqual(3);
    expect(templates.flatMap(([, { sets }]) => sets.flat()).length).toBeLessThanOrEqual(40);
    expect(templates.at(-1)?.[1].sets[0]).toContain(99 * 12 + 11);
  });

  const onward = (template: string) => ({ fresh: 0, onward: [template], named: [], steps: [], left: 0 });

  test("months that say the same are not left before their days are known, and are left if those say the same", () => {
    for (const isReal of [true, false]) {
      const guard = new TrapGuard();
      const [months, days] = ["http://t.test/cal/2024/05", "http://t.test/cal/2024/05/06"].map((url) => guard.suspect(url, undefined)!);
      let asked: readonly string[] = [];
      for (let n = 0; n < 30; n++) asked = guard.learn(months!, page("month"), onward(days!.template)).templates;
      expect(asked).toEqual([days!.template]);
      for (let n = 0; n < 30; n++) guard.learn(days!, isReal ? page(...sentences(`day ${n}`)) : page("day"), onward(months!.template));
      guard.learn(months!, page("month"), onward(days!.template));
      expect([guard.admit(months!), guard.admit(days!)]).toEqual([isReal, isReal]);
    }
  });

  test.each([
    [
      "filters in a path",
      (n: number) => `http://t.test/shop/${["red", "blue", "grey"][n % 3]}/${["s", "m", "l"][Math.floor(n / 3) % 3]}/${n % 2}`,
    ],
    ["copies in folders", (n: number) => `http://t.test/copy${Math.floor(n / 20)}/leaf${n % 20}`],
    ["copies by a parameter", (n: number) => `http://t.test/leaf${n % 20}?lang=l${Math.floor(n / 20)}`],
  ])("what is mixed of known parts is left if it brings nothing new, and not else: %s", (_, urlOf) => {
    const visits = (blocks: (n: number) => BlockHashes) => {
      const guard = new TrapGuard();
      let count = 0;
      for (let n = 0; n < 200; n++) {
        const suspicion = guard.suspect(urlOf(n), undefined);
        if (suspicion && !guard.admit(suspicion)) continue;
        count += 1;
        guard.meet(urlOf(n));
        if (suspicion) guard.learn(suspicion, blocks(n));
      }
      return count;
    };
    expect(visits((n) => page("known", ...sentences(`leaf ${n % 20}`).slice(0, 1)))).toBeLessThan(80);
    expect(visits((n) => page(...sentences(`leaf ${n}`)))).toBe(200);
  });
});
