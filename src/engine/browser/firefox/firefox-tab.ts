import type { BrowserContext, Page } from "playwright-core";
import type { RequestsSetup } from "../chromium/chromium-requests.ts";
import type { Picture } from "../engine.ts";
import { crashOf, type OpenedTab } from "../exit/browser-instance.ts";
import type { RenderJob } from "../exit/render-job.ts";
import { type PageFunction, programsOf } from "../inside/index.ts";
import { takeScreenshot } from "../picture.ts";
import { type Tab, withHangTimeout } from "../tab.ts";
import { FirefoxRequests } from "./firefox-requests.ts";

/**
 * Playwright gives only its selector engines access to its isolated world. So our program is registered as a selector
 * engine: the element that it "finds" is a new one, with the program's result as its text.
 */
const ENGINE = "nuthatch";
const engine = () => `({
  query(root, selector) {
    const [name, given] = selector.split(":");
    const text = given === "" ? undefined : decodeURIComponent(given);
    const found = document.createElement("pre");
    found.textContent = ${programsOf()}[name](text === undefined ? undefined : JSON.parse(text));
    return found;
  },
  queryAll(root, selector) {
    return [this.query(root, selector)];
  },
})`;

let registered: Promise<void> | undefined;

export async function openFirefoxTab(context: BrowserContext, setup: RequestsSetup): Promise<OpenedTab> {
  registered ??= import("playwright-core").then(({ selectors }) =>
    selectors.register(ENGINE, { content: engine() }, { contentScript: true }),
  );
  await registered;
  const page = await context.newPage();
  const crashed = crashOf(page);
  const requests = new FirefoxRequests(page, setup);
  await requests.listen();
  return { tab: new FirefoxTab(page, requests), crashed };
}

class FirefoxTab implements Tab {
  readonly #page: Page;
  readonly #requests: FirefoxRequests;

  constructor(page: Page, requests: FirefoxRequests) {
    this.#page = page;
    this.#requests = requests;
  }

  async navigate(job: RenderJob): Promise<void> {
    this.#requests.job = job;
    await this.#page.goto(job.renderRequest.url, { waitUntil: "commit", timeout: 0 });
  }

  async run(functionName: PageFunction, given?: unknown): Promise<string> {
    const text = given === undefined ? "" : encodeURIComponent(JSON.stringify(given)).replaceAll("'", "%27");
    return (await withHangTimeout(this.#page.locator(`${ENGINE}=${functionName}:${text}`).textContent({ timeout: 0 }))) ?? "";
  }

  takePicture(height: number): Promise<Picture> {
    return takeScreenshot(this.#page, height);
  }

  async clear(): Promise<void> {
    this.#requests.job = undefined;
    await this.run("forget");
    await this.#page.goto("about:blank", { timeout: 5_000 });
  }

  async close(): Promise<void> {
    this.#requests.job = undefined;
    await this.#page.close();
  }
}
