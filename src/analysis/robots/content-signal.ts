import { namesOf } from "./agent.ts";

/** A robots.txt's permissions for uses of fetched content (contentsignals.org): by name of the use, whether it is allowed. */
export type ContentSignals = ReadonlyMap<string, boolean>;

/** A file may hold 500 KiB; signals are near its start, so this many lines are enough. */
const MAX_LINES = 20_000;

/** The signals of the groups that name the agent, else of those for `*`; a signal before all groups applies to everyone. */
export function contentSignals(text: string, agent: string): ContentSignals {
  const ourNames = new Set(namesOf(agent));
  const [ownSignals, commonSignals] = [new Map<string, boolean>(), new Map<string, boolean>()];
  let current: readonly Map<string, boolean>[] = [commonSignals];
  let inAgentLines = false;
  for (const line of text.split(/\r\n?|\n/, MAX_LINES)) {
    const colon = line.indexOf(":");
    if (colon < 0) continue;
    const name = line.slice(0, colon).trim().toLowerCase();
    const value = line.slice(colon + 1).split("#", 1)[0]!;
    if (name === "user-agent") {
      const names = namesOf(value.trim());
      const namedGroups = [
        ...(names.some((each) => ourNames.has(each)) ? [ownSignals] : []),
        ...(names.includes("*") ? [commonSignals] : []),
      ];
      current = inAgentLines ? [...current, ...namedGroups] : namedGroups;
      inAgentLines = true;
    } else {
      if (name === "allow" || name === "disallow") inAgentLines = false;
      if (name === "content-signal") for (const group of current) addSignals(group, value);
    }
  }
  return ownSignals.size > 0 ? ownSignals : commonSignals;
}

/** `search=yes, ai-train=no`. If a use is given twice, "no" wins. */
function addSignals(signals: Map<string, boolean>, value: string): void {
  for (const part of value.toLowerCase().split(",")) {
    const [use = "", word = ""] = part.split("=").map((text) => text.trim());
    if (use !== "" && (word === "yes" || word === "no")) signals.set(use, word === "yes" && signals.get(use) !== false);
  }
}
