import { again, type Contender, full, lean, peers, plain } from "./contenders.ts";

/** A site, who crawls it, and how often: everything that a table of the report needs to be made again. */
export interface Scenario {
  readonly title: string;
  readonly pages: number;
  readonly hosts?: number;
  readonly latency?: number;
  readonly rounds: number;
  readonly contenders: readonly Contender[];
}

const crowd = (pages: number, rounds: number): Scenario => ({
  title: "The same pages for everybody",
  pages,
  rounds,
  contenders: [lean(), plain, again, full, ...peers],
});

export const plans: Readonly<Record<string, readonly Scenario[]>> = {
  quick: [crowd(3000, 3)],
  full: [
    crowd(20_000, 3),
    {
      title: "50 ms away: one host, 512 connections",
      pages: 20_000,
      latency: 50,
      rounds: 3,
      contenders: [lean(512)],
    },
    {
      title: "50 ms away: 500 hosts, one connection each",
      pages: 40,
      hosts: 500,
      latency: 50,
      rounds: 3,
      contenders: [lean(500, 1)],
    },
  ],
  scale: [{ title: "A large site", pages: 200_000, rounds: 1, contenders: [lean(), plain] }],
};
