import { openApp, type World } from "../app.ts";
import { type ConfigInput, resolveConfig } from "../config/index.ts";
import { type ContextChanges, type ContextNews, contextLayer, makeContext } from "../operations/context.ts";
import {
  type ContextDocument,
  type ContextShape,
  checkShape,
  contextJson,
  contextLlms,
  contextMarkdown,
} from "../operations/context-forms.ts";
import { openPassingApp } from "../operations/passing-app.ts";
import type { Reason } from "../records.ts";
import { isOfProgram } from "../seed.ts";

export type ContextOptions = ConfigInput &
  ContextShape & {
    /** The data file that keeps pages and contexts; without one they are kept for as long as the process lives. */
    readonly db?: string;
    /** Default 5. */
    readonly maxLinks?: number;
    /** Relevance that a link must reach, 0–1; default 0.4. */
    readonly minScore?: number;
    /** Whether links are followed at all; default true. */
    readonly follow?: boolean;
    readonly onNews?: (news: ContextNews) => void;
    readonly signal?: AbortSignal;
    /** Time and the web, if not the real ones: see nuthatch/testing. */
    readonly world?: World;
  };

/** A page and the links that explain it, in every form. */
export interface SiteContext {
  readonly url: string;
  /** Whether there is one: only its first page must be had. */
  readonly ok: boolean;
  /** `ok`, or what kept us from it, with the rule behind it. */
  readonly reason: Reason;
  readonly rule: string;
  /** Its number in the data file. */
  readonly id: number | null;
  readonly markdown: string;
  /** As llmstxt.org says: what there is, and where. */
  readonly llms: string;
  /** The whole document (docs/guides/feed-a-model.md); null where there is none. */
  readonly json: ContextDocument | null;
  /** What became of its pages since it was made last; null for the first. */
  readonly changes: ContextChanges | null;
}

/** What is said beside the options of a crawl. */
const OWN = ["db", "maxLinks", "minScore", "follow", "sections", "maxTokens", "onNews", "signal", "world"];

/** The context of an address as one text. The same call again fetches only what changed. What the web does is a value: look at `ok` and `reason`. */
export async function context(url: string, options: ContextOptions = {}): Promise<SiteContext> {
  const { db, maxLinks = 5, minScore = 0.4, follow = true, sections, maxTokens, onNews, signal, world, ...values } = options;
  const shape = { sections, maxTokens };
  checkShape(shape);
  const config = resolveConfig([contextLayer, { from: "the options of context()", values, besides: OWN }]);
  await using place = await openPlace(db, world);
  const made = await makeContext(place.app, { url, namedBy: "library", config, maxLinks, minScore, follow, onNews, signal });
  if ("reason" in made) return { ...made, ok: false, id: null, markdown: "", llms: "", json: null, changes: null };
  const { id, pack, changes } = made;
  const forms = { markdown: contextMarkdown(pack, shape), llms: contextLlms(pack, shape), json: contextJson(pack, shape) };
  return { url: made.url, ok: true, reason: "ok", rule: "", id, ...forms, changes };
}

async function openPlace(db: string | undefined, world: World | undefined) {
  if (db === undefined) return openPassingApp({ world });
  const app = await openApp({ db, world, mayBeSent: isOfProgram });
  return { app, [Symbol.asyncDispose]: () => app.close() };
}
