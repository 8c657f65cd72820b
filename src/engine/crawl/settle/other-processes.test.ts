import { expect, test } from "vitest";
import { aNewUrl, aVisit } from "../../../store/contract/records.ts";
import { Seen } from "../../frontier/index.ts";
import { mentionsBesideStale } from "./other-processes.ts";

const visitOf = (url: string, id: number, more: Parameters<typeof aVisit>[1] = {}) =>
  aVisit({ ...aNewUrl(url, { depth: 3 }), id, attempts: 0 }, { depth: 3, ...more });

test("pages that were settled beside one that was refused are heard again as news, where they are; whoever had heard of them", () => {
  const visits = [
    visitOf("http://a.test/refused", 1),
    visitOf("http://b.test/kept", 2),
    visitOf("http://b.test/of-others", 3),
    visitOf("http://b.test/failed", 4, { verdict: "failed" }),
  ];
  const seen = new Seen();
  seen.mention(visits[1]!.candidate.hash, 3);
  const again = mentionsBesideStale(visits, new Set([0]), seen);
  expect(again.map(([{ url, depth }]) => [url, depth])).toEqual([
    ["http://b.test/kept", 3],
    ["http://b.test/of-others", 3],
  ]);
  expect(again.map(([{ hash, depth }]) => seen.mention(hash, depth))).toEqual(["nearer", "nearer"]);
});
