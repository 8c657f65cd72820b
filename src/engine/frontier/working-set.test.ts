import { expect, test } from "vitest";
import { aCandidate, aWorld, manyCandidates } from "../../../test/fake-backlog.ts";

const inMemory = (world: ReturnType<typeof aWorld>) => [...world.frontier.hosts()].reduce((sum, { queue }) => sum + queue.size, 0);

test("a hundred thousand candidates of one host: few are in memory, all come out exactly once", async () => {
  const world = aWorld({ workers: 4 });
  for (let batch = 0; batch < 100; batch++)
    world.hear(manyCandidates(1000, (index) => `http://a.test/${batch}/${index}`, { level: batch % 8 }));
  expect(inMemory(world)).toBeLessThanOrEqual(64);
  expect(world.frontier.queued).toBe(100_000);
  await world.crawl();
  expect(world.urls()).toHaveLength(100_000);
  expect(new Set(world.urls()).size).toBe(100_000);
  expect(world.backlog.mostLoaded).toBeLessThanOrEqual(72);
});

test("thirty thousand hosts, more than memory has places for, are all visited", async () => {
  const world = aWorld({ workers: 10 });
  const rows = manyCandidates(30_000, (index) => `http://h${index}.test/`);
  world.hear(rows);
  expect([...world.frontier.hosts()].length).toBeLessThanOrEqual(20_000);
  await world.crawl();
  expect(new Set(world.urls()).size).toBe(30_000);
  expect(world.urls()).toHaveLength(30_000);
  expect([...world.frontier.hosts()].length).toBeLessThanOrEqual(20_000);
  expect(world.backlog.hostQueries).toBeLessThan(10);
});

test("a host that must be left alone long does not keep hosts on disk from their turn", async () => {
  const world = aWorld({
    workers: 2,
    answer: (url) => (url.startsWith("http://slow.") ? { answer: { kind: "asked-to-wait", retryAfter: 1e9 } } : {}),
  });
  const rows = [
    ...manyCandidates(2, (index) => `http://slow.test/${index}`),
    ...manyCandidates(20_500, (index) => `http://h${index}.test/`),
  ];
  world.hear(rows);
  await world.crawl();
  expect([world.frontier.ended, world.urls().length]).toEqual(["deferred", 20_501]);
});

test("breadth order holds though most of a level waits on disk", async () => {
  const heard = new Map<string, ReturnType<typeof manyCandidates>>();
  const near = manyCandidates(300, (index) => `http://a.test/${index}`, { depth: 1, priority: -1 });
  for (const { url } of near) heard.set(url, [aCandidate(`${url}/deep`, { depth: 2, priority: -2 })]);
  const world = aWorld({ options: { order: "breadth" }, answer: (url) => ({ heard: heard.get(url) ?? [] }) });
  world.hear(near);
  await world.crawl();
  const depths = world.urls().map((url) => (url.endsWith("deep") ? 2 : 1));
  expect(depths).toHaveLength(600);
  expect(depths).toEqual([...depths].sort());
});

test("depth order holds though most waits on disk: the last heard goes first", async () => {
  let heardAt = 0;
  const children = (url: string, count: number) =>
    manyCandidates(count, (index) => `${url}/${index}`).map((one) => ({ ...one, priority: ++heardAt }));
  const answer = (url: string) => ({ heard: url.split("/").length < 6 ? children(url, 6) : [] });
  const world = aWorld({ options: { order: "depth" }, answer });
  world.hear(children("http://a.test", 90));
  await world.crawl();
  const sorted = [...world.urls()];
  // A depth-first walk of the tree, last child first.
  const walk = (url: string, fan: number): string[] => {
    if (url.split("/").length > 5) return [];
    return Array.from({ length: fan }, (_, index) => `${url}/${fan - 1 - index}`).flatMap((child) => [child, ...walk(child, 6)]);
  };
  expect(sorted).toEqual(walk("http://a.test", 90));
});

test("moving candidates about while the hosts grow many loses none of them", async () => {
  const world = aWorld({ workers: 2 });
  const ours = manyCandidates(64, (index) => `http://a.test/${index}`);
  world.hear(ours);
  world.hear(manyCandidates(9000, (index) => `http://h${index}.test/`));
  for (const { id } of ours) world.frontier.move("a.test", id, { depth: 0, level: 0, priority: 5 });
  await world.crawl();
  expect(world.urls().filter((url) => url.startsWith("http://a.test/"))).toHaveLength(64);
});

test("candidates put back by several at once find room or wait on disk, and are not lost", async () => {
  const failed = new Set<string>();
  const answer = (url: string) => {
    const isFirst = !failed.has(url) && url.includes("/old/");
    failed.add(url);
    return isFirst ? { retryAfter: 0, heard: manyCandidates(1, () => `${url.replace("/old/", "/new/")}`, { priority: 2 }) } : {};
  };
  const world = aWorld({ workers: 8, options: { perHost: 8 }, answer });
  world.hear(manyCandidates(64, (index) => `http://a.test/old/${index}`));
  await world.crawl();
  expect(world.backlog.rows.size).toBe(0);
  expect(new Set(world.urls()).size).toBe(128);
});

test("a candidate heard better moves forward", async () => {
  const world = aWorld();
  const [low, high] = [aCandidate("http://a.test/low"), aCandidate("http://a.test/high", { priority: 1 })];
  world.hear([low, high]);
  world.frontier.move("a.test", low.id, { depth: 0, level: 0, priority: 2 });
  await world.crawl();
  expect(world.urls()).toEqual([low.url, high.url]);
});

test("what waited on disk before is found at the start", async () => {
  const world = aWorld();
  world.backlog.put(manyCandidates(200, (index) => `http://h${index % 3}.test/${index}`));
  await world.frontier.open();
  expect(world.frontier.queued).toBe(200);
  await world.crawl();
  expect(new Set(world.urls()).size).toBe(200);
});

test("hosts that ran short together are read from disk together", async () => {
  const world = aWorld({ workers: 20 });
  world.hear(manyCandidates(20_000, (index) => `http://h${index % 100}.test/${index}`));
  const load = world.backlog.load.bind(world.backlog);
  const wanted: number[] = [];
  world.backlog.load = (wants) => {
    wanted.push(wants.length);
    return load(wants);
  };
  await world.crawl();
  expect(new Set(world.urls()).size).toBe(20_000);
  expect(Math.max(...wanted)).toBeGreaterThan(1);
  expect(world.backlog.mostLoaded).toBeLessThanOrEqual(1024);
});

test("what is heard of while the disk is read is not forgotten", async () => {
  const world = aWorld();
  world.hear(manyCandidates(100, (index) => `http://a.test/${index}`, { priority: 1 }));
  const load = world.backlog.load.bind(world.backlog);
  let late = 0;
  world.backlog.load = async (wants) => {
    const found = await load(wants);
    if (late < 5) world.hear([aCandidate(`http://a.test/late/${++late}`)]);
    return found;
  };
  await world.crawl();
  expect(late).toBeGreaterThan(0);
  expect(world.urls()).toHaveLength(100 + late);
});

test.each([0, 20])("what memory knows nothing of is found on disk before the end, at a pace of %i ms", async (rateLimit) => {
  const world = aWorld({ options: { rateLimit } });
  world.hear(manyCandidates(3, (index) => `http://a.test/${index}`));
  world.backlog.put([aCandidate("http://a.test/unknown", { level: 7 })]);
  await world.crawl();
  expect(world.urls()).toHaveLength(4);
  expect(world.backlog.hostQueries).toBe(2);
});

test("what is never given out does not keep a crawl from ending", async () => {
  const world = aWorld();
  world.hear(manyCandidates(3, (index) => `http://a.test/${index}`));
  world.backlog.put([aCandidate("http://a.test/stuck")]);
  world.backlog.load = async (wants) => wants.map(() => []);
  await world.crawl();
  expect([world.frontier.ended, world.urls().length]).toEqual(["drained", 3]);
});
