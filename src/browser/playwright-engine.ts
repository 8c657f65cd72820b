import type { Page, Route } from "playwright-core";
import { failed, spend } from "../fetch/index.ts";
import type { Fetched } from "../records.ts";
import type { Engine, PageRequest, RenderAsk, Rendered } from "./engine.ts";
import type { Exit } from "./exit.ts";
import type { Launched } from "./launch-browser.ts";

export interface EngineSetup {
  readonly name: "chromium" | "firefox";
  /** Starts a browser; again when one has died. */
  readonly launch: () => Promise<Launched>;
  readonly exit: Exit;
  readonly product: string;
  readonly maxBody: number;
}

const kinds: Readonly<Record<string, PageRequest["kind"]>> = {
  document: "document",
  script: "script",
  stylesheet: "style",
  xhr: "data",
  fetch: "data",
};
const LIFETIME = 30_000;

export async function openPlaywrightEngine(setup: EngineSetup): Promise<Engine> {
  const { browser, close } = await setup.launch();
  const context = await browser.newContext({ serviceWorkers: "block", acceptDownloads: false });
  return {
    name: setup.name,
    async render(ask) {
      const page = await context.newPage();
      try {
        return await show(page, ask, setup);
      } finally {
        await page.close();
      }
    },
    close,
  };
}

async function show(page: Page, ask: RenderAsk, { exit }: EngineSetup): Promise<Rendered> {
  const startedAt = Date.now();
  const given: (() => void)[] = [];
  let requests = 0;
  let refused = 0;
  if ("host" in ask.document) spend({ url: ask.url, turn: ask.document, accept: "page" });
  const { document } = ask;
  const decide = async (route: Route) => {
    const request = route.request();
    const isMain = request.isNavigationRequest() && request.frame() === page.mainFrame();
    if (isMain && "kind" in document) {
      return route.fulfill({
        status: document.status,
        contentType: document.contentType ?? "text/html",
        body: Buffer.from(document.bytes),
      });
    }
    const kind = kinds[request.resourceType()];
    const mayGo = isMain || (request.method() === "GET" && kind !== undefined && ask.refusal({ url: request.url(), kind }) === undefined);
    if (!mayGo) {
      refused += 1;
      return route.abort("blockedbyclient");
    }
    const { hostname, port, protocol } = new URL(request.url());
    given.push(exit.open(`${hostname}:${port || (protocol === "https:" ? 443 : 80)}`));
    requests += 1;
    return route.continue();
  };
  await page.route("**/*", decide);
  const timing = () => ({ startedAt, duration: Date.now() - startedAt });
  try {
    const answer = await page.goto(ask.url, { waitUntil: "networkidle", timeout: LIFETIME });
    const bytes = Buffer.from(await page.content());
    const status = answer?.status() ?? 200;
    const fetched: Fetched = {
      kind: "body",
      status,
      contentType: "text/html; charset=utf-8",
      bytes: Uint8Array.from(bytes),
      etag: undefined,
      lastModified: undefined,
      robotsTags: [],
      wireBytes: 0,
      timing: timing(),
    };
    return { fetched, isQuiet: true, requests, refused };
  } catch (error) {
    const fetched = { ...failed("timeout", (error as Error).message, {}), timing: timing() };
    return { fetched, isQuiet: false, requests, refused };
  } finally {
    for (const giveBack of given) giveBack();
  }
}
