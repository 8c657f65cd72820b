import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import type { Connector } from "../fetch/index.ts";
import { BrowserError } from "./browser-error.ts";
import type { Engine, EngineName } from "./engine.ts";
import { openExitProxy } from "./exit/exit-proxy.ts";
import { type BrowserProgram, findBrowser } from "./find-browser.ts";
import { launchBrowser } from "./launch-browser.ts";
import { openPlaywrightEngine } from "./playwright-engine.ts";
import { startWebkit } from "./webkit/webkit-driver.ts";
import { openWebkit } from "./webkit/webkit-engine.ts";

/** The result of starting an engine and showing it a test page. */
export type TryResult =
  | {
      readonly engine: EngineName;
      readonly works: true;
      readonly program: BrowserProgram;
      readonly version: string;
      readonly isSandboxed: boolean;
    }
  | { readonly engine: EngineName; readonly works: false; readonly message: string; readonly hint: string };

const TEST_TEXT = "It works.";
/** A reserved name (RFC 6761): a response for it can only have come through the exit. */
const TEST_URL = "http://nuthatch.invalid/";
const engineSetup = { maxBody: 100_000, types: [], product: "nuthatch" } as const;

/** Starts an engine and shows it a page whose script writes a sentence. Sends nothing to the network. */
export async function tryBrowser(engine: EngineName, given: readonly string[]): Promise<TryResult> {
  const server = createServer((_, answer) =>
    answer.setHeader("content-type", "text/html").end(`<script>document.write("${TEST_TEXT}")</script>`),
  );
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  const connector: Connector = async () => {
    const socket = connect(port, "127.0.0.1");
    await once(socket, "connect");
    return socket;
  };
  try {
    return await tryProgram(await findBrowser(engine, given), connector);
  } catch (error) {
    if (!(error instanceof BrowserError)) throw error;
    return { engine, works: false, message: error.message, hint: error.hint };
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

async function tryProgram(program: BrowserProgram, connector: Connector): Promise<TryResult> {
  const found = { version: "", isSandboxed: false };
  const exitProxy = await openExitProxy({ connector, access: undefined });
  const engine = await openEngine(program, connector, exitProxy, found);
  try {
    const document = { host: "nuthatch.invalid", spent: false };
    const ask = { url: TEST_URL, document, refusal: () => undefined, wantsPicture: false };
    const { fetched } = await engine.render(ask, new AbortController().signal);
    const hasTestText = fetched.kind === "body" && new TextDecoder().decode(fetched.bytes).includes(TEST_TEXT);
    if (hasTestText) return { engine: program.engine, works: true, program, ...found };
    const problem = "detail" in fetched ? fetched.detail : fetched.kind;
    throw new BrowserError(
      `${program.path} started, but did not show a page: ${problem}`,
      `another one: --browser ${program.engine}=<path>`,
    );
  } finally {
    await engine.close();
    await exitProxy.close();
  }
}

function openEngine(
  program: BrowserProgram,
  connector: Connector,
  exitProxy: Awaited<ReturnType<typeof openExitProxy>>,
  found: { version: string; isSandboxed: boolean },
): Promise<Engine> {
  if (program.engine === "webkit")
    return openWebkit({
      ...engineSetup,
      connector,
      access: undefined,
      async start(exitUrl) {
        const driver = await startWebkit({ program, exitUrl, product: engineSetup.product });
        found.version = driver.version;
        return driver;
      },
    });
  return openPlaywrightEngine({
    ...engineSetup,
    exitProxy,
    name: program.engine,
    async launch() {
      const launched = await launchBrowser(program, exitProxy.url);
      Object.assign(found, { version: launched.version, isSandboxed: launched.isSandboxed });
      return launched;
    },
  });
}
