import type { Page } from "../../core/records.ts";
import type { App } from "../../engine/app.ts";
import type { PageFilter } from "../../store/index.ts";
import type { ExportRange } from "./export.ts";

/** Counts exported pages, and those left out by reason. */
export class ExportTally {
  /** Records of a stream. */
  written = 0;
  /** Set if older records were left out by this limit. */
  limit: number | undefined;
  readonly #left = new Map<string, number>();

  countLeftOut(why: string): void {
    this.#left.set(why, (this.#left.get(why) ?? 0) + 1);
  }

  left(why: string): number {
    return this.#left.get(why) ?? 0;
  }

  /** One sentence per reason, with the flag that would include them if there is one. */
  get leftOut(): readonly string[] {
    const { noindex, canonical, ...verdicts } = Object.fromEntries(this.#left) as Record<string, number>;
    const counts = Object.entries(verdicts).map(([verdict, pages]) => `${verdict} ${pages}`);
    return [
      ...(counts.length > 0 ? [`left out: ${counts.join(", ")}; --any-verdict takes them too`] : []),
      ...(canonical === undefined ? [] : [`left out: ${canonical} stored under the address that the page calls its own`]),
      ...(this.limit === undefined ? [] : [`only the latest ${this.limit} changes: --limit takes more`]),
      ...(noindex === undefined ? [] : [`left out: noindex ${noindex}; --include-noindex takes them too`]),
    ];
  }
}

type PageVerdictInfo = Pick<Page, "noindex" | "verdict">;

/** Whether a page is exported; if not, it is counted. */
export function isIncluded({ noindex, verdict }: PageVerdictInfo, range: ExportRange, tally: ExportTally): boolean {
  const why =
    !range.anyVerdict && verdict !== null && verdict !== "ok" ? verdict : noindex && !range.includeNoindex ? "noindex" : undefined;
  if (why !== undefined) tally.countLeftOut(why);
  return why === undefined;
}

/** The pages of a site that exist today and may be exported. */
export async function* readablePages({ store }: App, range: ExportRange, tally: ExportTally): AsyncGenerator<Page> {
  for await (const page of store.pages(pagesIn(range))) if (isIncluded(page, range, tally)) yield page;
}

const pagesIn = ({ siteId, runId, since }: ExportRange): PageFilter => ({ siteId, runId, since, isThere: true });
