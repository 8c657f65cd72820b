import type { BrowserContext, CDPSession, Page } from "playwright-core";
import { ChromiumRequests, type RequestsSetup } from "./chromium-requests.ts";
import type { Picture } from "./engine.ts";
import type { Errand } from "./errand.ts";
import { deathOf, type OpenedTab } from "./household.ts";
import { type Inside, programOf } from "./inside/index.ts";
import { pictureOf } from "./picture.ts";
import { type Tab, unlessHung } from "./tab.ts";

/**
 * A tab of Chromium, driven over our own CDP session. Playwright's interception does not show redirect targets and disables the
 * cache, so that every page of a site would fetch the same scripts again; and it offers no isolated world to read the page from.
 */
export async function openChromiumTab(context: BrowserContext, setup: RequestsSetup): Promise<OpenedTab> {
  const page = await context.newPage();
  const died = deathOf(page);
  const line = await context.newCDPSession(page);
  const { frameTree } = await line.send("Page.getFrameTree");
  const requests = new ChromiumRequests(line, frameTree.frame.id, setup);
  await requests.listen();
  return { tab: new ChromiumTab(page, line, frameTree.frame.id, requests), died };
}

class ChromiumTab implements Tab {
  readonly #page: Page;
  readonly #line: CDPSession;
  readonly #mainFrame: string;
  readonly #requests: ChromiumRequests;
  #world: number | undefined;

  constructor(page: Page, line: CDPSession, mainFrame: string, requests: ChromiumRequests) {
    this.#page = page;
    this.#line = line;
    this.#mainFrame = mainFrame;
    this.#requests = requests;
  }

  async go(errand: Errand): Promise<void> {
    this.#requests.errand = errand;
    this.#world = undefined;
    await this.#page.goto(errand.ask.url, { waitUntil: "commit", timeout: 0 });
  }

  run(part: Inside, given?: unknown): Promise<string> {
    return unlessHung(this.#run(programOf(part, given)));
  }

  takePicture(height: number): Promise<Picture> {
    return pictureOf(this.#page, height);
  }

  async clear(): Promise<void> {
    this.#requests.errand = undefined;
    await this.run("forget");
    this.#world = undefined;
    await this.#page.goto("about:blank", { timeout: 5_000 });
    await this.#requests.calm();
  }

  async close(): Promise<void> {
    this.#requests.errand = undefined;
    await this.#page.close();
  }

  async #run(program: string): Promise<string> {
    this.#world ??= await this.#openWorld();
    try {
      return await this.#evaluate(program, this.#world);
    } catch (error) {
      // An isolated world ends with its document, and scripts can replace theirs.
      if (!(error as Error).message.includes("context")) throw error;
      this.#world = await this.#openWorld();
      return this.#evaluate(program, this.#world);
    }
  }

  async #openWorld(): Promise<number> {
    const world = { frameId: this.#mainFrame, worldName: "nuthatch", grantUniveralAccess: true };
    return (await this.#line.send("Page.createIsolatedWorld", world)).executionContextId;
  }

  async #evaluate(expression: string, contextId: number): Promise<string> {
    const { result, exceptionDetails } = await this.#line.send("Runtime.evaluate", { expression, contextId, returnByValue: true });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return String(result.value);
  }
}
