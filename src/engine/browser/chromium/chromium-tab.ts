import type { BrowserContext, CDPSession, Page } from "playwright-core";
import type { Picture } from "../engine.ts";
import { crashOf, type OpenedTab } from "../exit/browser-instance.ts";
import type { RenderJob } from "../exit/render-job.ts";
import { type PageFunction, programOf } from "../inside/index.ts";
import { takeScreenshot } from "../picture.ts";
import { type Tab, withHangTimeout } from "../tab.ts";
import { ChromiumRequests, type RequestsSetup } from "./chromium-requests.ts";

/**
 * A tab of Chromium, driven over our own CDP session. Playwright's interception does not show redirect targets and disables the
 * cache, so that every page of a site would fetch the same scripts again; and it offers no isolated world to read the page from.
 */
export async function openChromiumTab(context: BrowserContext, setup: RequestsSetup): Promise<OpenedTab> {
  const page = await context.newPage();
  const crashed = crashOf(page);
  const session = await context.newCDPSession(page);
  const { frameTree } = await session.send("Page.getFrameTree");
  const requests = new ChromiumRequests(session, frameTree.frame.id, setup);
  await requests.listen();
  return { tab: new ChromiumTab(page, session, frameTree.frame.id, requests), crashed };
}

class ChromiumTab implements Tab {
  readonly #page: Page;
  readonly #session: CDPSession;
  readonly #mainFrame: string;
  readonly #requests: ChromiumRequests;
  #world: number | undefined;

  constructor(page: Page, session: CDPSession, mainFrame: string, requests: ChromiumRequests) {
    this.#page = page;
    this.#session = session;
    this.#mainFrame = mainFrame;
    this.#requests = requests;
  }

  async navigate(job: RenderJob): Promise<void> {
    this.#requests.job = job;
    this.#world = undefined;
    await this.#page.goto(job.renderRequest.url, { waitUntil: "commit", timeout: 0 });
  }

  run(functionName: PageFunction, argument?: unknown): Promise<string> {
    return withHangTimeout(this.#run(programOf(functionName, argument)));
  }

  takePicture(height: number): Promise<Picture> {
    return takeScreenshot(this.#page, height);
  }

  async clear(): Promise<void> {
    this.#requests.job = undefined;
    await this.run("forget");
    this.#world = undefined;
    await this.#page.goto("about:blank", { timeout: 5_000 });
    await this.#requests.reset();
  }

  async close(): Promise<void> {
    this.#requests.job = undefined;
    await this.#page.close();
  }

  async #run(program: string): Promise<string> {
    this.#world ??= await this.#createWorld();
    try {
      return await this.#evaluate(program, this.#world);
    } catch (error) {
      // An isolated world ends with its document, and scripts can replace theirs.
      if (!(error as Error).message.includes("context")) throw error;
      this.#world = await this.#createWorld();
      return this.#evaluate(program, this.#world);
    }
  }

  async #createWorld(): Promise<number> {
    const world = { frameId: this.#mainFrame, worldName: "nuthatch", grantUniveralAccess: true };
    return (await this.#session.send("Page.createIsolatedWorld", world)).executionContextId;
  }

  async #evaluate(expression: string, contextId: number): Promise<string> {
    const { result, exceptionDetails } = await this.#session.send("Runtime.evaluate", { expression, contextId, returnByValue: true });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return String(result.value);
  }
}
