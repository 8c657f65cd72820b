import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { framed, readFrames } from "./frames.ts";

export type PdfAnswer = { readonly markdown: string; readonly title: string } | { readonly trouble: string };

export interface PdfSetup {
  /** Time limit per document in milliseconds. */
  readonly patience?: number;
  /** Memory limit of the process in megabytes. */
  readonly memory?: number;
  readonly workerUrl?: URL;
}

const PATIENCE = 20_000;
const MEMORY = 400;
/** Size limit of an answer in bytes. */
const MOST_ANSWER = 32 * 1024 * 1024;
/** Documents after which the process is replaced. */
const MOST_DOCUMENTS = 20;
/** Milliseconds after which an idle process is ended. */
const REST = 5000;

let opened: PdfProcess | undefined;
let last: Promise<unknown> = Promise.resolve();

/**
 * The text of a PDF as Markdown, or the reason why there is none. The PDF library is optional. It runs in a separate process, one
 * document at a time, because a hostile document can block it or fill the memory.
 */
export function pdfMarkdown(bytes: Uint8Array, setup: PdfSetup = {}): Promise<PdfAnswer> {
  const answer = last.then(() => {
    if (setup.workerUrl !== undefined || !opened?.isFree) {
      opened?.end();
      opened = new PdfProcess(setup);
    }
    return opened.open(bytes, setup.patience ?? PATIENCE);
  });
  last = answer;
  return answer;
}

/** `isLast`: the process exits after this answer. */
type HeardAnswer = PdfAnswer & { readonly isLast?: boolean };

class PdfProcess {
  readonly #child: ChildProcess;
  #answer: ((answer: PdfAnswer) => void) | undefined;
  #count = 0;
  #isOver = false;
  #timer: NodeJS.Timeout | undefined;

  constructor({ memory = MEMORY, workerUrl = new URL("./pdf-worker.js", import.meta.url) }: PdfSetup) {
    const program = fileURLToPath(new URL("./pdf-process.js", import.meta.url));
    const flags = ["--disallow-code-generation-from-strings", "--no-warnings"];
    // The library's warnings go to stderr, which is discarded.
    this.#child = spawn(process.execPath, [...flags, program, workerUrl.href, String(memory)], {
      env: {},
      stdio: ["pipe", "pipe", "ignore"],
      windowsHide: true,
    });
    const tooLong = () => this.#over("a PDF too large to open: its text is too long");
    this.#child.stdout!.on(
      "data",
      readFrames(MOST_ANSWER, (frame) => this.#hear(JSON.parse(frame.toString()) as HeardAnswer), tooLong),
    );
    this.#child.stdin!.on("error", () => undefined);
    this.#child.on("error", (cause) => this.#over(`a PDF that cannot be read: ${cause.message}`));
    this.#child.on("close", () => this.#over("a PDF that ended its reader"));
  }

  get isFree(): boolean {
    return !this.#isOver && this.#count < MOST_DOCUMENTS;
  }

  open(bytes: Uint8Array, patience: number): Promise<PdfAnswer> {
    this.#count += 1;
    this.#keepAlive(true);
    this.#timer = setTimeout(() => this.#over(`a PDF that took longer than ${patience / 1000} s to read`), patience);
    this.#child.stdin!.write(framed(bytes));
    return new Promise((resolve) => {
      this.#answer = resolve;
    });
  }

  end(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#child.kill("SIGKILL");
  }

  #hear({ isLast, ...answer }: HeardAnswer): void {
    this.#isOver ||= isLast === true;
    this.#tell(answer);
  }

  #tell(answer: PdfAnswer): void {
    clearTimeout(this.#timer);
    this.#answer?.(answer);
    this.#answer = undefined;
    this.#timer = setTimeout(() => this.end(), REST).unref();
    this.#keepAlive(false);
  }

  #over(trouble: string): void {
    this.#tell({ trouble });
    this.end();
  }

  /** An idle child does not keep this process alive; when this process exits, so does the child. */
  #keepAlive(isBusy: boolean): void {
    const pipes = [this.#child.stdin, this.#child.stdout] as unknown as readonly ChildProcess[];
    for (const part of [this.#child, ...pipes]) isBusy ? part.ref() : part.unref();
  }
}
