import type { Reason } from "../../core/records.ts";
import { isFromProgram } from "../../core/seed.ts";
import { openApp, type World } from "../../engine/app.ts";
import { type ConfigInput, resolveConfig } from "../../engine/config/index.ts";
import { type ContextChanges, type ContextNews, contextLayer, makeContext } from "../../features/context/context.ts";
import {
  type ContextDocument,
  type ContextShape,
  checkShape,
  contextJson,
  contextLlms,
  contextMarkdown,
} from "../../features/context/context-forms.ts";
import { openTemporaryApp } from "../../features/crawl/temporary-app.ts";

export type ContextOptions = ConfigInput &
  ContextShape & {
    /** The data file that keeps pages and contexts; without one they are kept in memory for the life of the process. */
    readonly db?: string;
    /** Default 5. */
    readonly maxLinks?: number;
    /** Least relevance of a followed link, 0–1; default 0.4. */
    readonly minScore?: number;
    /** Whether to follow links; default true. */
    readonly follow?: boolean;
    readonly onNews?: (news: ContextNews) => void;
    readonly signal?: AbortSignal;
    /** Clock and network for tests: see nuthatch/testing. */
    readonly world?: World;
  };

/** A page and the linked pages that explain it, in every format. */
export interface SiteContext {
  readonly url: string;
  /** Whether the context was made: only its first page is required. */
  readonly ok: boolean;
  /** `ok`, or why it failed, with the rule behind it. */
  readonly reason: Reason;
  readonly rule: string;
  /** Its number in the data file. */
  readonly id: number | null;
  readonly markdown: string;
  /** In the llms.txt format (llmstxt.org): titles and links. */
  readonly llms: string;
  /** The whole document (docs/guides/feed-a-model.md); null if there is no context. */
  readonly json: ContextDocument | null;
  /** Changes of its pages since it was made last; null for the first. */
  readonly changes: ContextChanges | null;
}

/** Options in addition to those of a crawl. */
const OWN_OPTIONS = ["db", "maxLinks", "minScore", "follow", "sections", "maxTokens", "onNews", "signal", "world"];

/**
 * The context of a URL as one text. Calling it again fetches only what changed. Failures of the network are values: check `ok` and
 * `reason`.
 */
export async function context(url: string, options: ContextOptions = {}): Promise<SiteContext> {
  const { db, maxLinks = 5, minScore = 0.4, follow = true, sections, maxTokens, onNews, signal, world, ...values } = options;
  const shape = { sections, maxTokens };
  checkShape(shape);
  const config = resolveConfig([contextLayer, { from: "the options of context()", values, besides: OWN_OPTIONS }]);
  await using opened = await openAppFor(db, world);
  const made = await makeContext(opened.app, { url, namedBy: "library", config, maxLinks, minScore, follow, onNews, signal });
  if ("reason" in made) return { ...made, ok: false, id: null, markdown: "", llms: "", json: null, changes: null };
  const { id, pack, changes } = made;
  const forms = { markdown: contextMarkdown(pack, shape), llms: contextLlms(pack, shape), json: contextJson(pack, shape) };
  return { url: made.url, ok: true, reason: "ok", rule: "", id, ...forms, changes };
}

async function openAppFor(db: string | undefined, world: World | undefined) {
  if (db === undefined) return openTemporaryApp({ world });
  const app = await openApp({ db, world, mayBeSent: isFromProgram });
  return { app, [Symbol.asyncDispose]: () => app.close() };
}
