import { setTimeout as sleep } from "node:timers/promises";
import type { Picture } from "./engine.ts";
import type { Errand } from "./errand.ts";
import { type Inside, programOf } from "./inside/index.ts";
import { type BrowserProcess, watchProcesses } from "./memory.ts";
import { type Tab, unlessHung } from "./tab.ts";
import { DriverTrouble, type WebkitDriver } from "./webkit-driver.ts";
import type { WebkitRequests } from "./webkit-requests.ts";

const GLANCE = 50;
/** Milliseconds after which a document that was never requested has failed: browsers block some ports, for instance. */
const UNASKED = 5_000;

/** WebDriver errors that mean that the browser is gone. */
const dead = new Set(["no such window", "invalid session id", "session not created", "unknown error"]);

/**
 * The only window of WebKit. There is no isolated world: a page that breaks its own objects spoils what is read of it, but nothing else.
 */
export class WebkitTab implements Tab {
  readonly died: Promise<string>;
  readonly processes: () => Promise<BrowserProcess[]>;
  readonly #driver: WebkitDriver;
  readonly #requests: WebkitRequests;
  #die: (detail: string) => void = () => undefined;
  #errand: Errand | undefined;

  constructor(driver: WebkitDriver, requests: WebkitRequests) {
    this.#driver = driver;
    this.#requests = requests;
    this.processes = watchProcesses(driver.mark);
    this.died = new Promise((resolve) => {
      this.#die = resolve;
    });
  }

  async go(errand: Errand): Promise<void> {
    this.#errand = errand;
    this.#requests.errand = errand;
    await this.#command("POST", "/url", { url: errand.ask.url });
    while (this.#errand === errand) {
      if (/^https?:/.test(await this.#place())) break;
      if (!this.#requests.hasBegun && Date.now() - errand.startedAt > UNASKED) break;
      await sleep(GLANCE);
    }
    if (errand.status === undefined) throw new Error("the browser could not get it");
  }

  run(part: Inside, given?: unknown): Promise<string> {
    return unlessHung(this.#evaluate(programOf(part, given)));
  }

  async takePicture(): Promise<Picture> {
    const bytes = Buffer.from(String(await this.#command("GET", "/screenshot")), "base64");
    // PNG: width and height follow the signature and the name of the first chunk.
    return { bytes: Uint8Array.from(bytes), type: "image/png", width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  }

  async clear(): Promise<void> {
    this.#errand = undefined;
    this.#requests.errand = undefined;
    await this.#command("POST", "/url", { url: "about:blank" });
    while ((await this.#place()) !== "about:blank") await sleep(GLANCE);
  }

  async close(): Promise<void> {
    this.#errand = undefined;
    this.#requests.errand = undefined;
    await this.#driver.close();
  }

  /** Empty while one document replaces another. */
  async #place(): Promise<string> {
    try {
      return await this.#evaluate("document.URL");
    } catch (error) {
      if (error instanceof DriverTrouble && error.code === "no such frame") return "";
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
      if (!(error instanceof DriverTrouble) || dead.has(error.code)) this.#die("its tab died");
      throw error;
    }
  }
}
