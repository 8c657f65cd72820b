import type { MetaField } from "../../core/records.ts";
import { registrableDomain } from "../url/index.ts";
import { comparisonKey, plainText } from "./comparison-key.ts";
import type { PageView } from "./page-view.ts";
import { urlOf } from "./parsed-url.ts";
import { itemsIn, textsIn } from "./structured/schema-items.ts";
import { kindOf } from "./structured/schema-kind.ts";
import { cachedByText } from "./text-cache.ts";
import { partsOfTitle } from "./title/title-cuts.ts";
import type { Clue } from "./weigh.ts";
import { nothing } from "./weigh.ts";

const MAX_ITEMS = 50;
const MAX_LENGTH = 200;

/** Sources in order of trust, each with its confidence. */
const sourceConfidence: readonly (readonly [source: string, confidence: number])[] = [
  ["og:site_name", 0.95],
  ["ld:WebSite", 0.9],
  ["application-name", 0.85],
  ["apple-mobile-web-app-title", 0.8],
  ["ld:publisher", 0.8],
  ["title:suffix", 0.7],
  ["twitter:site", 0.5],
  ["domain", 0.4],
];

export function siteNameOf(page: PageView, _cascade: "weighed" | "classic"): MetaField<string> {
  const clues = siteNameClues(page);
  const ranked = sourceConfidence.flatMap(([source, confidence]) =>
    clues.filter((clue) => clue.source === source).map((clue) => ({ ...clue, confidence })),
  );
  const best = ranked.find(({ rejected }) => rejected === undefined);
  const candidates = ranked
    .filter((clue) => clue !== best)
    .map(({ source, value, rejected }) => ({ source, value, ...(rejected !== undefined && { rejected }) }));
  return best === undefined
    ? { ...nothing, candidates }
    : { value: best.value, source: best.source, confidence: best.confidence, candidates };
}

export function siteNameClues(page: PageView): Clue<string>[] {
  const declared = declaredNames(page);
  const domain = domainWord(page.url);
  const suffix = titleSuffixOf(page, [...declared.map(({ value }) => value), domain]);
  const found = [
    ...declared,
    ...(suffix ? [{ source: "title:suffix", value: suffix }] : []),
    ...(domain ? [{ source: "domain", value: domain }] : []),
  ];
  return found.map(({ source, value }) => ({ source, value, signs: {}, ...rejection(value) }));
}

/** The names that the page itself declares for its site. */
export function declaredNames({ metas, items }: PageView): { source: string; value: string }[] {
  const found: [source: string, value: string][] = [];
  for (const name of ["og:site_name", "application-name", "apple-mobile-web-app-title"])
    for (const value of metas.get(name) ?? []) found.push([name, value]);
  for (const item of items.slice(0, MAX_ITEMS)) {
    const kind = kindOf(item);
    if (kind === "site") for (const value of textsIn(item, "name")) found.push(["ld:WebSite", value]);
    const publishers =
      kind === "publisher"
        ? [item]
        : [...itemsIn(item, "publisher"), ...itemsIn(item, "isPartOf").filter((part) => kindOf(part) === "site")];
    for (const each of publishers) for (const value of textsIn(each, "name")) found.push(["ld:publisher", value]);
  }
  for (const value of metas.get("twitter:site") ?? []) found.push(["twitter:site", value.replace(/^@/, "")]);
  return found.map(([source, value]) => ({ source, value: plainText(value.slice(0, MAX_LENGTH)) })).filter(({ value }) => value !== "");
}

/** `example` for `www.example.co.uk`; empty for an IP address. */
export function domainWord(url: string): string {
  return wordOfHost(urlOf(url)?.hostname ?? "");
}

const wordOfHost = cachedByText((host) => (/^[\d.]+$|^\[/.test(host) ? "" : ((registrableDomain(host) ?? host).split(".")[0] ?? "")));

/** The part of the title that equals a known name, in the title's spelling: a domain has no spaces or capitals. */
function titleSuffixOf({ elements }: PageView, names: readonly string[]): string | undefined {
  const title = elements.find(({ name }) => name === "title")?.children[0];
  if (typeof title !== "string") return undefined;
  const known = new Set(names.map(comparisonKey));
  return partsOfTitle(plainText(title.slice(0, 1000))).find(({ value }) => known.has(comparisonKey(value)))?.value;
}

function rejection(value: string): { rejected?: string } {
  if (value.length > 100) return { rejected: `${value.length} > 100 characters` };
  return /^https?:\/\//i.test(value) ? { rejected: "an address" } : {};
}
