import type { BrowserContext, Page } from "playwright-core";
import type { RequestsSetup } from "./chromium-requests.ts";
import type { Picture } from "./engine.ts";
import type { Errand } from "./errand.ts";
import { FirefoxRequests } from "./firefox-requests.ts";
import { deathOf, type OpenedTab } from "./household.ts";
import { type Inside, programsOf } from "./inside/index.ts";
import { pictureOf } from "./picture.ts";
import { type Tab, unlessHung } from "./tab.ts";

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
  const died = deathOf(page);
  const requests = new FirefoxRequests(page, setup);
  await requests.listen();
  return { tab: new FirefoxTab(page, requests), died };
}

class FirefoxTab implements Tab {
  readonly #page: Page;
  readonly #requests: FirefoxRequests;

  constructor(page: Page, requests: FirefoxRequests) {
    this.#page = page;
    this.#requests = requests;
  }

  async go(errand: Errand): Promise<void> {
    this.#requests.errand = errand;
    await this.#page.goto(errand.ask.url, { waitUntil: "commit", timeout: 0 });
  }

  async run(part: Inside, given?: unknown): Promise<string> {
    const text = given === undefined ? "" : encodeURIComponent(JSON.stringify(given)).replaceAll("'", "%27");
    return (await unlessHung(this.#page.locator(`${ENGINE}=${part}:${text}`).textContent({ timeout: 0 }))) ?? "";
  }

  takePicture(height: number): Promise<Picture> {
    return pictureOf(this.#page, height);
  }

  async clear(): Promise<void> {
    this.#requests.errand = undefined;
    await this.run("forget");
    await this.#page.goto("about:blank", { timeout: 5_000 });
  }

  async close(): Promise<void> {
    this.#requests.errand = undefined;
    await this.#page.close();
  }
}
