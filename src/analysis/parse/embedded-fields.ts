/** Classifies field names in embedded JSON: page URLs, assets, and labels for links. */

import { decodeHTML } from "entities/decode";
import { CONTEXT } from "./document.ts";
import { cut, tidy, wellFormed } from "./markdown/tidy.ts";
import { looksLikePage } from "./page-address.ts";

export type Fields = Readonly<Record<string, unknown>>;

const setOf = (...lines: string[]) => new Set(lines.flatMap((line) => line.split(" ")));

const assetWords = setOf(
  "image images img logo logos icon icons favicon thumb thumbnail thumbnails avatar photo photos picture pictures poster src srcset sprite",
  "script scripts style styles stylesheet css font fonts asset assets ajax api apis endpoint endpoints token prefix base cdn @context",
  "pattern regex regexp mask mime format selector template templates rewrite rewrites redirects manifest worker webhook callback proxy",
  "analytics tracking pixel beacon telemetry dsn ajaxurl baseurl basepath apiurl imageurl iconurl logourl",
);
const linkWords = setOf("url urls href link links path uri permalink canonical alias to page");
/** Page URLs only if there is a label for them. */
const otherWords = setOf("value slug location loc website homepage");
/** Objects under these names describe the object around them. */
const wrappers = setOf("attributes options fields node target cta web item mainentityofpage");
const descriptive = [
  ...["title", "headline", "label", "name", "text", "heading", "linktext", "linktitle", "displayname", "menuname", "anchortext"],
  ...["caption", "children", "alt", "description", "summary"],
];

interface Role {
  readonly isAsset: boolean;
  /** Names such as `url`, `webUrl`, `link_href`, `path`, which always hold a URL. */
  readonly isLink: boolean;
  readonly mayBeLink: boolean;
  /** Whether an object under this name belongs to the enclosing object and shares its label. */
  readonly isPart: boolean;
  /** Rank as a label, 0 for the best; `descriptive.length` if it is none. */
  readonly rank: number;
}

/** Cached, because the same few names repeat. */
const known = new Map<string, Role>();
const MAX_KNOWN = 2000;
const MAX_NAME_LENGTH = 100;

export function roleOf(key: string): Role {
  const role = known.get(key);
  if (role) return role;
  const made = judge(key.slice(0, MAX_NAME_LENGTH));
  if (known.size >= MAX_KNOWN) known.clear();
  if (key.length <= MAX_NAME_LENGTH) known.set(key, made);
  return made;
}

function judge(key: string): Role {
  const lower = key.toLowerCase();
  const words =
    key
      .replace(/([a-z])([A-Z])/g, "$1 $2")
      .toLowerCase()
      .match(/[a-z@]+/g) ?? [];
  const last = words.at(-1) ?? "";
  const isLink = linkWords.has(last) || /(?:url|href|link|path)$/.test(lower);
  const rank = descriptive.indexOf(lower.replace(/[^a-z]/g, ""));
  return {
    isAsset: words.some((word) => assetWords.has(word)),
    isLink,
    mayBeLink: otherWords.has(last),
    isPart: isLink || wrappers.has(lower),
    rank: rank < 0 ? descriptive.length : rank,
  };
}

/** Nested objects that may contain the label if it is not beside the URL. */
const inside = ["attributes", "fields", "options", "props", "data", "node"];

/** The label of an object; empty if there is none. */
export function labelOf(fields: Fields, depth = 0): string {
  let best = descriptive.length;
  let text = "";
  for (const key of Object.keys(fields)) {
    const { rank } = roleOf(key);
    if (rank >= best) continue;
    const said = saidBy(fields[key]);
    if (said === "" || looksLikePage(said)) continue;
    best = rank;
    text = said;
  }
  if (text !== "" || depth >= 2) return plain(text);
  for (const key of inside) {
    const value = Object.hasOwn(fields, key) ? fields[key] : undefined;
    const label = isFields(value) ? labelOf(value, depth + 1) : "";
    if (label !== "") return label;
  }
  return "";
}

/** A plain string, or one wrapped in an object as in WordPress (`rendered`) and others, alone or as the first item of a list. */
function saidBy(value: unknown): string {
  if (typeof value === "string") return value.trim();
  const inner = Array.isArray(value) ? value[0] : value;
  if (!isFields(inner)) return "";
  const said = [inner.rendered, inner.value, inner.text].find((each) => typeof each === "string");
  return typeof said === "string" ? said.trim() : "";
}

const isFields = (value: unknown): value is Fields => typeof value === "object" && value !== null && !Array.isArray(value);

const plain = (text: string) =>
  text === "" ? "" : cut(tidy(wellFormed(decodeHTML(cut(text, 10 * CONTEXT).replace(/<[^<>]*>/g, " ")))), CONTEXT);
