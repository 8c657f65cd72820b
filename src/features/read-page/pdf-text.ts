import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { readFrames, toFrame } from "./frames.ts";

export type PdfAnswer = { readonly markdown: string; readonly title: string } | { readonly trouble: string };

export interface PdfSetup {
  /** Time limit per document in milliseconds. */
  readonly patience?: number;
  /** Memory limit of the process in megabytes. */
  readonly memory?: number;
  readonly workerUrl?: URL;
}

const TIMEOUT_MS = 20_000;
const MAX_MEMORY_MB = 400;
/** Size limit of an answer in bytes. */
const MAX_ANSWER_BYTES = 32 * 1024 * 1024;
/** Documents after which the process is replaced. */
const MAX_DOCUMENTS = 20;
/** Milliseconds after which an idle process is ended. */
const IDLE_MS = 5000;

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
    return opened.open(bytes, setup.patience ?? TIMEOUT_MS);
  });
  last = answer;
  return answer;
}

/** `isLast`: the process exits after this answer. */
type ProcessAnswer = PdfAnswer & { readonly isLast?: boolean };

class PdfProcess {
  readonly #child: ChildProcess;
  #answer: ((answer: PdfAnswer) => void) | undefined;
  #count = 0;
  #hasEnded = false;
  #timer: NodeJS.Timeout | undefined;

  constructor({ memory = MAX_MEMORY_MB, workerUrl = new URL("./pdf-worker.js", import.meta.url) }: PdfSetup) {
    const program = fileURLToPath(new URL("./pdf-process.js", import.meta.url));
    const flags = ["--disallow-code-generation-from-strings", "--no-warnings"];
    // The library's warnings go to stderr, which is discarded.
    this.#child = spawn(process.execPath, [...flags, program, workerUrl.href, String(memory)], {
      env: {},
      stdio: ["pipe", "pipe", "ignore"],
      windowsHide: true,
    });
    const tooLong = () => this.#fail("a PDF too large to open: its text is too long");
    this.#child.stdout!.on(
      "data",
      readFrames(MAX_ANSWER_BYTES, (frame) => this.#handleAnswer(JSON.parse(frame.toString()) as ProcessAnswer), tooLong),
    );
    this.#child.stdin!.on("error", () => undefined);
    this.#child.on("error", (cause) => this.#fail(`a PDF that cannot be read: ${cause.message}`));
    this.#child.on("close", () => this.#fail("a PDF that ended its reader"));
  }

  get isFree(): boolean {
    return !this.#hasEnded && this.#count < MAX_DOCUMENTS;
  }

  open(bytes: Uint8Array, timeout: number): Promise<PdfAnswer> {
    this.#count += 1;
    this.#keepAlive(true);
    this.#timer = setTimeout(() => this.#fail(`a PDF that took longer than ${timeout / 1000} s to read`), timeout);
    this.#child.stdin!.write(toFrame(bytes));
    return new Promise((resolve) => {
      this.#answer = resolve;
    });
  }

  end(): void {
    this.#hasEnded = true;
    clearTimeout(this.#timer);
    this.#child.kill("SIGKILL");
  }

  #handleAnswer({ isLast, ...answer }: ProcessAnswer): void {
    this.#hasEnded ||= isLast === true;
    this.#resolveAnswer(answer);
  }

  #resolveAnswer(answer: PdfAnswer): void {
    clearTimeout(this.#timer);
    this.#answer?.(answer);
    this.#answer = undefined;
    this.#timer = setTimeout(() => this.end(), IDLE_MS).unref();
    this.#keepAlive(false);
  }

  #fail(trouble: string): void {
    this.#resolveAnswer({ trouble });
    this.end();
  }

  /** An idle child does not keep this process alive; when this process exits, so does the child. */
  #keepAlive(isBusy: boolean): void {
    const pipes = [this.#child.stdin, this.#child.stdout] as unknown as readonly ChildProcess[];
    for (const part of [this.#child, ...pipes]) isBusy ? part.ref() : part.unref();
  }
}
