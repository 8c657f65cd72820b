import { Worker } from "node:worker_threads";

export type PdfAnswer = { readonly pages: readonly string[]; readonly title: string } | { readonly trouble: string };

export interface PdfSetup {
  /** Milliseconds that one document may take. */
  readonly patience?: number;
  readonly workerUrl?: URL;
}

const PATIENCE = 20_000;
/** Megabytes: a small file can unfold to anything. */
const MEMORY = 512;

/** The text of a PDF as Markdown, or why there is none. The library that reads it is optional; it works on a thread of its own, because a document may be made to hold it up. */
export async function pdfMarkdown(
  bytes: Uint8Array,
  setup: PdfSetup = {},
): Promise<{ readonly markdown: string; readonly title: string } | { readonly trouble: string }> {
  const answer = await askWorker(bytes, setup);
  if ("trouble" in answer) return answer;
  const markdown = answer.pages.map(paragraphs).filter(Boolean).join("\n\n");
  return markdown === ""
    ? { trouble: "a PDF without text: its pages are pictures" }
    : { markdown: `${markdown}\n`, title: answer.title.trim() };
}

function askWorker(bytes: Uint8Array, { patience = PATIENCE, workerUrl = new URL("./pdf-worker.js", import.meta.url) }: PdfSetup) {
  // It speaks to the console of what it finds odd: nobody is told.
  const worker = new Worker(workerUrl, {
    workerData: Uint8Array.from(bytes),
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: MEMORY },
  });
  return new Promise<PdfAnswer>((resolve) => {
    const timer = setTimeout(() => resolve({ trouble: `a PDF that took longer than ${patience / 1000} s to read` }), patience);
    worker.once("message", resolve);
    worker.once("error", (cause: Error) => resolve({ trouble: `a PDF that cannot be read: ${cause.message}` }));
    worker.once("exit", () => resolve({ trouble: "a PDF that ended its reader" }));
    timer.unref();
  }).finally(() => worker.terminate());
}

const BULLET = /^\s*[•‣▪●◦–-]\s+/;

/** Lines of a page are joined to paragraphs: a line that ends early, or ends a sentence before a capital, was the last of its own. */
function paragraphs(page: string): string {
  const lines = page.split(/\r?\n/).map((line) => line.replace(/\s+/g, " ").trim());
  const width = lines.reduce((most, line) => Math.max(most, line.length), 0);
  const parts: string[] = [];
  let isOpen = false;
  for (const line of lines) {
    if (line === "") {
      isOpen = false;
      continue;
    }
    if (BULLET.test(line)) parts.push(`- ${line.replace(BULLET, "")}`);
    else if (isOpen) parts.push(joined(parts.pop()!, line));
    else parts.push(line);
    isOpen = line.length > 0.75 * width;
  }
  return parts.join("\n\n");
}

/** A word that was cut at the end of a line is whole again. */
const joined = (before: string, line: string): string =>
  /\p{Ll}-$/u.test(before) && /^\p{Ll}/u.test(line) ? before.slice(0, -1) + line : `${before} ${line}`;
