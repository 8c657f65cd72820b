import { describe, expect, test } from "vitest";
import { upperBound } from "./arms.ts";
import { Focus, NO_CLUE } from "./focus.ts";
import { handedOn, sharkScore } from "./shark.ts";

test.each([
  ["a relevant page hands on half of its relevance", 0.8, 0, 0.4],
  ["whatever it was handed itself", 0.8, 0.9, 0.4],
  ["a page that is not relevant hands on half of what it was handed", 0, 0.4, 0.2],
  ["nothing comes of nothing", 0, 0, 0],
])("%s", (_, relevance, inherited, handed) => {
  expect(handedOn(relevance, inherited)).toBeCloseTo(handed, 10);
});

test("what a link says of itself and what it inherits count alike", () => {
  expect(sharkScore(1, 0.4)).toBeCloseTo(0.7, 10);
});

test.each([
  ["an arm nobody tried may be as good as can be", 0, 100, Math.sqrt(2 * Math.log(101))],
  ["one that was tried often is what it seems", 99, 100, Math.sqrt((2 * Math.log(101)) / 100)],
  ["before anything was tried there is nothing to hope for", 0, 0, 0],
])("%s", (_, tries, all, bound) => {
  expect(upperBound(tries, all)).toBeCloseTo(bound, 10);
});

const items = (focus: Focus, page: string, count: number, relevance: number) => {
  for (let item = 0; item < count; item++) focus.learn(`${page}/${item}`, focus.prospect(NO_CLUE, "a.test/item/{n}", page), relevance);
};
const list = (focus: Focus, page: string) => focus.learn(page, focus.prospect(NO_CLUE, "a.test/list/{n}", "http://a.test/"), 0);
const promise = (focus: Focus, template: string, parent: string, clue = NO_CLUE) => focus.promise(focus.prospect(clue, template, parent));

describe("what a link promises", () => {
  test.each([
    ["one that speaks of the keywords promises more than one that does not", { score: 1, inherited: 0 }, NO_CLUE],
    ["one on a relevant page more than one elsewhere", { score: 0, inherited: 0.5 }, NO_CLUE],
    ["its own words more than those of its page", { score: 1, inherited: 0 }, { score: 0, inherited: 0.5 }],
  ])("before anything is known: %s", (_, more, less) => {
    const focus = new Focus();
    expect(promise(focus, "a.test/{n}", "p", more)).toBeGreaterThan(promise(focus, "a.test/{n}", "p", less));
  });

  test("links of a template that led to targets promise more, and those of one that did not less", () => {
    const focus = new Focus();
    for (let page = 0; page < 20; page++) {
      focus.learn(`m${page}`, focus.prospect(NO_CLUE, "a.test/minutes/{n}", `p${page}`), 1);
      focus.learn(`f${page}`, focus.prospect(NO_CLUE, "a.test/form/{n}", `p${page}`), 0);
    }
    const [minutes, other, form] = ["minutes", "photo", "form"].map((kind) => promise(focus, `a.test/${kind}/{n}`, "new"));
    expect(minutes).toBeGreaterThan(other! + 0.1);
    expect(form).toBeLessThan(other!);
  });

  test("links of a page whose other links led to targets promise more than those of its like", () => {
    const focus = new Focus();
    list(focus, "rich");
    list(focus, "poor");
    items(focus, "rich", 5, 1);
    items(focus, "poor", 5, 0);
    expect(promise(focus, "a.test/item/{n}", "rich")).toBeGreaterThan(promise(focus, "a.test/item/{n}", "poor") + 0.1);
  });

  test("lists that lead to targets are sought, though they say nothing themselves", () => {
    const focus = new Focus();
    for (let page = 0; page < 5; page++) {
      list(focus, `l${page}`);
      items(focus, `l${page}`, 4, 0.8);
      focus.learn(`o${page}`, focus.prospect(NO_CLUE, "a.test/about/{n}", "home"), 0);
    }
    expect(promise(focus, "a.test/list/{n}", "home")).toBeGreaterThan(promise(focus, "a.test/about/{n}", "home") + 0.1);
  });

  test("where words mislead, they come to count for less", () => {
    const focus = new Focus();
    const [word, none] = [{ score: 1, inherited: 0 }, NO_CLUE];
    const before = promise(focus, "a.test/new/{n}", "p", word) - promise(focus, "a.test/new/{n}", "p", none);
    for (let page = 0; page < 60; page++) {
      focus.learn(`t${page}`, focus.prospect(word, "a.test/tag/{n}", `x${page}`), 0);
      focus.learn(`d${page}`, focus.prospect(none, "a.test/document/{n}", `y${page}`), 1);
    }
    expect(promise(focus, "a.test/new/{n}", "p", word) - promise(focus, "a.test/new/{n}", "p", none)).toBeLessThan(before / 2);
  });

  test("a page named by relevant pages alone promises more than one that every page names", () => {
    const focus = new Focus();
    const [near, far] = [
      focus.prospect({ score: 0, inherited: 0.5 }, "a.test/a", "p"),
      focus.prospect({ score: 0, inherited: 0.5 }, "a.test/b", "p"),
    ];
    for (let page = 0; page < 10; page++) {
      focus.hearAgain(near, { score: 0, inherited: 0.5 }, "p");
      focus.hearAgain(far, NO_CLUE, "p");
    }
    expect(focus.promise(near)).toBeGreaterThan(focus.promise(far));
  });
});

test("what was learned is plain data, and whoever is given it expects the same", () => {
  const [first, second] = [new Focus(), new Focus()];
  list(first, "rich");
  items(first, "rich", 30, 0.9);
  second.restore(JSON.parse(JSON.stringify(first.snapshot())));
  const links = [
    ["a.test/item/{n}", "rich"],
    ["a.test/list/{n}", "http://a.test/"],
    ["a.test/other", "elsewhere"],
  ] as const;
  for (const [template, parent] of links) expect(promise(second, template, parent)).toBeCloseTo(promise(first, template, parent), 3);
});

test("memory is bounded, whatever is met", () => {
  const focus = new Focus();
  for (let page = 0; page < 50_000; page++) focus.learn(`p${page}`, focus.prospect(NO_CLUE, `a.test/${page}`, `q${page}`), page % 2);
  expect(focus.handedOnBy("p0")).toBe(0);
  expect(focus.handedOnBy("p49999")).toBe(0.5);
  expect(focus.snapshot().arms.length).toBeLessThanOrEqual(600);
});
