import { namesOf } from "./agent.ts";

/** What a robots.txt says about uses of what was fetched (contentsignals.org): by the name of the use, whether it is welcome. */
export type ContentSignals = ReadonlyMap<string, boolean>;

/** A file may hold 500 KiB; a signal stands in the first of its lines that speak to us. */
const MOST_LINES = 20_000;

/** Those of the groups that name the agent, else those for `*`; a signal above all groups is for everybody. */
export function contentSignals(text: string, agent: string): ContentSignals {
  const ours = new Set(namesOf(agent));
  const [own, common] = [new Map<string, boolean>(), new Map<string, boolean>()];
  let current: readonly Map<string, boolean>[] = [common];
  let isNaming = false;
  for (const line of text.split(/\r\n?|\n/, MOST_LINES)) {
    const colon = line.indexOf(":");
    if (colon < 0) continue;
    const name = line.slice(0, colon).trim().toLowerCase();
    const value = line.slice(colon + 1).split("#", 1)[0]!;
    if (name === "user-agent") {
      const names = namesOf(value.trim());
      const named = [...(names.some((each) => ours.has(each)) ? [own] : []), ...(names.includes("*") ? [common] : [])];
      current = isNaming ? [...current, ...named] : named;
      isNaming = true;
    } else {
      if (name === "allow" || name === "disallow") isNaming = false;
      if (name === "content-signal") for (const group of current) readInto(group, value);
    }
  }
  return own.size > 0 ? own : common;
}

/** `search=yes, ai-train=no`. Said twice, a no counts. */
function readInto(signals: Map<string, boolean>, value: string): void {
  for (const part of value.toLowerCase().split(",")) {
    const [use = "", word = ""] = part.split("=").map((text) => text.trim());
    if (use !== "" && (word === "yes" || word === "no")) signals.set(use, word === "yes" && signals.get(use) !== false);
  }
}
