import { normaliseEscapes } from "../url/index.ts";
import { namesOf } from "./agent.ts";
import { asText, forEachDirective } from "./directives.ts";

export interface Rule {
  readonly allow: boolean;
  /** Percent-encoding normalised; `*` and a last `$` still have their meaning. */
  readonly pattern: string;
  readonly line: number;
}

/** The rules of one robots.txt for one agent. Plain data, made by `parseRobots` and used by `mayVisit`. */
export interface RobotsRules {
  readonly rules: readonly Rule[];
  /** Milliseconds. */
  readonly crawlDelay: number | undefined;
  /** As written; the caller resolves them against the base URL. */
  readonly sitemaps: readonly string[];
}

interface Group {
  isPresent: boolean;
  readonly rules: Rule[];
  delay: number | undefined;
}

const emptyGroup = (): Group => ({ isPresent: false, rules: [], delay: undefined });

/** All groups that name the agent are one (§2.2.1); those for `*` count only if no group names it. */
export function parseRobots(text: string | Uint8Array, agent: string): RobotsRules {
  const ourNames = new Set(namesOf(agent));
  const ownGroup = emptyGroup();
  const commonGroup = emptyGroup();
  const sitemaps: string[] = [];
  let current = new Set<Group>();
  let inAgentLines = false;
  forEachDirective(text, (directive, value, number) => {
    if (directive === "sitemap") {
      if (value !== "") sitemaps.push(asText(value));
      return;
    }
    if (directive === "user-agent") {
      // Only rules end the names of a group; other lines, known or not, must not interfere (§2.2.4).
      if (!inAgentLines) current = new Set();
      inAgentLines = true;
      const names = namesOf(asText(value));
      if (names.some((name) => ourNames.has(name))) current.add(ownGroup);
      if (names.includes("*")) current.add(commonGroup);
      for (const group of current) group.isPresent = true;
      return;
    }
    if (directive !== "crawl-delay") inAgentLines = false;
    for (const group of current) addDirective(group, directive, value, number);
  });
  const group = ownGroup.isPresent ? ownGroup : commonGroup;
  return { rules: group.rules, crawlDelay: group.delay, sitemaps };
}

function addDirective(group: Group, directive: "allow" | "disallow" | "crawl-delay", value: string, line: number): void {
  if (directive === "crawl-delay") {
    const delay = readDelay(value);
    // If given twice, the longer delay is used, which is always polite.
    if (delay !== undefined) group.delay = Math.max(group.delay ?? 0, delay);
  } else if (value !== "")
    group.rules.push({ allow: directive === "allow", pattern: normaliseEscapes(withLeadingSlash(directive, value)), line });
}

/** `Disallow: private` can only mean the path; such an Allow is left to match nothing, as the grammar says. */
const withLeadingSlash = (directive: "allow" | "disallow", value: string) =>
  directive === "disallow" && !/^[/*$]/.test(value) ? `/${value}` : value;

function readDelay(value: string): number | undefined {
  const [, seconds] = /^(\d{1,12}(?:\.\d{0,6})?|\.\d{1,6})\s*(?:s|secs?|seconds?)?$/i.exec(value) ?? [];
  return seconds === undefined ? undefined : Math.round(Number(seconds) * 1000);
}
