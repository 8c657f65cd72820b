import { parentPort } from "node:worker_threads";
import { closeNetwork } from "./no-network.ts";
import { pdfParagraphs } from "./pdf-paragraphs.ts";
import type { PdfAnswer } from "./pdf-text.ts";

/** Thread of the PDF process that opens documents. */
closeNetwork();

parentPort!.on("message", async (bytes: Uint8Array) => parentPort!.postMessage(await textOf(bytes)));

async function textOf(bytes: Uint8Array): Promise<PdfAnswer> {
  try {
    const { extractText, getDocumentProxy, getMeta } = await import("unpdf");
    const document = await getDocumentProxy(bytes);
    const { text } = await extractText(document, { mergePages: false });
    const { info } = await getMeta(document);
    await document.destroy();
    const markdown = pdfParagraphs(text);
    if (markdown === "") return { trouble: "a PDF without text: its pages are pictures" };
    return { markdown: `${markdown}\n`, title: typeof info.Title === "string" ? info.Title.trim() : "" };
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
