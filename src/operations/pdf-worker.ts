import { parentPort, workerData } from "node:worker_threads";
import type { PdfAnswer } from "./pdf-text.ts";

/** A thread for one PDF: whatever becomes of it, the program goes on. */
parentPort!.postMessage(await textOf(workerData as Uint8Array));

async function textOf(bytes: Uint8Array): Promise<PdfAnswer> {
  try {
    const { extractText, getDocumentProxy, getMeta } = await import("unpdf");
    const document = await getDocumentProxy(bytes);
    const { text } = await extractText(document, { mergePages: false });
    const { info } = await getMeta(document);
    return { pages: text, title: typeof info.Title === "string" ? info.Title : "" };
  } catch (cause) {
    const isMissing = (cause as { code?: string }).code === "ERR_MODULE_NOT_FOUND";
    return {
      trouble: isMissing ? "a PDF, and nothing here reads those: npm install unpdf" : `a PDF that cannot be read: ${messageOf(cause)}`,
    };
  }
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
