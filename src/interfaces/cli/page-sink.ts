import type { Page } from "../../core/records.ts";
import type { App } from "../../engine/app.ts";
import { SetupError } from "../../engine/config/index.ts";
import { flatPage, jsonLine } from "../../engine/formats/index.ts";
import type { Crawl } from "../../features/crawl/crawl.ts";
import { storedPages } from "../../features/pages/stored-pages.ts";
import { csvText } from "./answer.ts";
import { type OutputPlan, openOutput } from "./output.ts";

export interface PageSink {
  add(page: Page): void;
  /** Resolves when everything is written; rejects if a write failed. */
  close(): Promise<void>;
}

/** `-o pages.jsonl`: one page per line as it is settled. A resumed run first adds pages that were settled but not written. */
export async function openPageSink(plan: OutputPlan, app: App, crawl: Crawl, say: (line: string) => void): Promise<PageSink> {
  const output = openOutput(plan, say);
  let isFirst = output.isNew;
  let failure: unknown;
  const write = async (page: Page) => {
    if (failure) return;
    try {
      output.write(output.format === "jsonl" ? jsonLine(page) : await csvText([flatPage(page)], isFirst));
      isFirst = false;
    } catch (cause) {
      failure = cause;
      crawl.control.stop();
    }
  };
  if (crawl.isResumed) {
    const settled = storedPages(app, { runId: crawl.run.id, afterSeq: plan.keep?.seq ?? 0, sort: "seq" });
    for await (const page of settled) if (page.seq <= crawl.run.seq) await write(page);
  }
  let writing = Promise.resolve();
  return {
    add: (page) => {
      writing = writing.then(() => write(page));
    },
    close: async () => {
      await writing;
      output.close();
      if (failure)
        throw new SetupError(`${plan.path} could not be written to the end`, "make room and run the same command again", {
          cause: failure,
        });
    },
  };
}
