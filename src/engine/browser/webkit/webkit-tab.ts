import { setTimeout as sleep } from "node:timers/promises";
import type { Picture } from "../engine.ts";
import type { RenderJob } from "../exit/render-job.ts";
import { type PageFunction, programOf } from "../inside/index.ts";
import { type BrowserProcess, openProcessList } from "../memory.ts";
import { type Tab, withHangTimeout } from "../tab.ts";
import { DriverError, type WebkitDriver } from "./webkit-driver.ts";
import type { WebkitRequests } from "./webkit-requests.ts";

const POLL_MS = 50;
/** Milliseconds after which a document that was never requested has failed: browsers block some ports, for instance. */
const MAX_REQUEST_WAIT_MS = 5_000;

/** WebDriver errors that mean that the browser is gone. */
const fatalErrors = new Set(["no such window", "invalid session id", "session not created", "unknown error"]);

/**
 * The only window of WebKit. There is no isolated world: a page that breaks its own objects spoils what is read of it, but nothing else.
 */
export class WebkitTab implements Tab {
  readonly crashed: Promise<string>;
  readonly processes: () => Promise<BrowserProcess[]>;
  readonly #driver: WebkitDriver;
  readonly #requests: WebkitRequests;
  #reportCrash: (detail: string) => void = () => undefined;
  #job: RenderJob | undefined;

  constructor(driver: WebkitDriver, requests: WebkitRequests) {
    this.#driver = driver;
    this.#requests = requests;
    this.processes = openProcessList(driver.mark);
    this.crashed = new Promise((resolve) => {
      this.#reportCrash = resolve;
    });
  }

  async navigate(job: RenderJob): Promise<void> {
    this.#job = job;
    this.#requests.job = job;
    await this.#command("POST", "/url", { url: job.renderRequest.url });
    while (this.#job === job) {
      if (/^https?:/.test(await this.#currentUrl())) break;
      if (!this.#requests.hasStarted && Date.now() - job.startedAt > MAX_REQUEST_WAIT_MS) break;
      await sleep(POLL_MS);
    }
    if (job.status === undefined) throw new Error("the browser could not get it");
  }

  run(functionName: PageFunction, argument?: unknown): Promise<string> {
    return withHangTimeout(this.#evaluate(programOf(functionName, argument)));
  }

  async takePicture(): Promise<Picture> {
    const bytes = Buffer.from(String(await this.#command("GET", "/screenshot")), "base64");
    // PNG: width and height follow the signature and the name of the first chunk.
    return { bytes: Uint8Array.from(bytes), type: "image/png", width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  }

  async clear(): Promise<void> {
    this.#job = undefined;
    this.#requests.job = undefined;
    await this.#command("POST", "/url", { url: "about:blank" });
    while ((await this.#currentUrl()) !== "about:blank") await sleep(POLL_MS);
  }

  async close(): Promise<void> {
    this.#job = undefined;
    this.#requests.job = undefined;
    await this.#driver.close();
  }

  /** Empty while one document replaces another. */
  async #currentUrl(): Promise<string> {
    try {
      return await this.#evaluate("document.URL");
    } catch (error) {
      if (error instanceof DriverError && error.code === "no such frame") return "";
      throw error;
    }
  }

  async #evaluate(program: string): Promise<string> {
    return String(await this.#command("POST", "/execute/sync", { script: `return (${program})`, args: [] }));
  }

  async #command(method: "GET" | "POST", path: string, body?: object): Promise<unknown> {
    try {
      return await this.#driver.command(method, path, body);
    } catch (error) {
      if (!(error instanceof DriverError) || fatalErrors.has(error.code)) this.#reportCrash("its tab died");
      throw error;
    }
  }
}
