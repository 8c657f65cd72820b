import { inspect } from "node:util";
import type { Link } from "../../core/records.ts";
import { isKeyword } from "../../engine/config/index.ts";
import type { Hooks } from "../../engine/crawl/index.ts";
import type { GivenMatch } from "../../store/index.ts";
import type { HookGuard } from "./hook-guard.ts";
import type { PluginMatch } from "./plugin.ts";
import type { With } from "./plugin-hooks.ts";

/** Collects link scores of the plugins in turn; if two name the same word, the higher match counts. */
export function scoreLinksWith(plugins: With<"scoreLinks">[] | undefined, guard: HookGuard): Hooks["scoreLinks"] {
  return (
    plugins &&
    (async ({ url }, links) => {
      const scores = new Map<number, GivenMatch[]>();
      const places = placesOf(links);
      for (const plugin of plugins) {
        const shown = links.map(({ url: to, text, title, heading, block }) => ({ url: to, text, title, heading, context: block }));
        const found = await guard.run(plugin.name, "scoreLinks", async () => [
          ...((await plugin.scoreLinks(shown, { url: new URL(url) })) ?? []),
        ]);
        const addMatch = (match: PluginMatch) => {
          const place = places.get(match?.url);
          if (place === undefined) throw new Error(`${wordsOf(match?.url ?? match)} is no link of ${url}`);
          if (!isMatch(match)) throw new Error(`${wordsOf(match.keyword)} ${wordsOf(match.match)} is no keyword with a match of 0 to 1`);
          add(scores, place, { ...wordOf(match), scorer: `plugin:${plugin.name}` });
        };
        for (const match of found ?? []) guard.runSync(plugin.name, "scoreLinks", () => addMatch(match));
      }
      return scores;
    })
  );
}

const placesOf = (links: readonly Link[]): ReadonlyMap<string, number> =>
  new Map(links.toReversed().map(({ url, position }) => [url, position]));

const isMatch = ({ keyword, match }: PluginMatch) =>
  typeof keyword === "string" && isKeyword(keyword) && typeof match === "number" && match >= 0 && match <= 1;

const wordsOf = (value: unknown) => (typeof value === "string" ? value : inspect(value));

const wordOf = ({ keyword, match, comment }: PluginMatch) => ({
  word: keyword.trim(),
  match: Math.round(match * 100) / 100,
  comment: comment === undefined ? undefined : String(comment),
});

function add(scores: Map<number, GivenMatch[]>, place: number, word: GivenMatch): void {
  const others = scores.get(place) ?? [];
  const before = others.find((other) => other.word === word.word);
  if (before && before.match >= word.match) return;
  scores.set(place, [...others.filter((other) => other !== before), word]);
}
