import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import type { Way } from "../fetch/index.ts";
import { BrowserError } from "./browser-error.ts";
import type { Engine, EngineName } from "./engine.ts";
import { openExit } from "./exit.ts";
import { findBrowser, type Program } from "./find-browser.ts";
import { launchBrowser } from "./launch-browser.ts";
import { openPlaywrightEngine } from "./playwright-engine.ts";
import { startWebkit } from "./webkit-driver.ts";
import { openWebkit } from "./webkit-engine.ts";

/** The result of starting an engine and showing it a test page. */
export type Tried =
  | {
      readonly engine: EngineName;
      readonly works: true;
      readonly program: Program;
      readonly version: string;
      readonly isSandboxed: boolean;
    }
  | { readonly engine: EngineName; readonly works: false; readonly message: string; readonly hint: string };

const WORDS = "It works.";
/** A reserved name (RFC 6761): a response for it can only have come through the exit. */
const URL_OF_OURS = "http://nuthatch.invalid/";
const rest = { maxBody: 100_000, types: [], product: "nuthatch" } as const;

/** Starts an engine and shows it a page whose script writes a sentence. Sends nothing to the network. */
export async function tryBrowser(engine: EngineName, given: readonly string[]): Promise<Tried> {
  const server = createServer((_, answer) =>
    answer.setHeader("content-type", "text/html").end(`<script>document.write("${WORDS}")</script>`),
  );
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  const way: Way = async () => {
    const socket = connect(port, "127.0.0.1");
    await once(socket, "connect");
    return socket;
  };
  try {
    return await tryOut(await findBrowser(engine, given), way);
  } catch (error) {
    if (!(error instanceof BrowserError)) throw error;
    return { engine, works: false, message: error.message, hint: error.hint };
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

async function tryOut(program: Program, way: Way): Promise<Tried> {
  const found = { version: "", isSandboxed: false };
  const exit = await openExit({ way, access: undefined });
  const engine = await opened(program, way, exit, found);
  try {
    const document = { host: "nuthatch.invalid", spent: false };
    const ask = { url: URL_OF_OURS, document, refusal: () => undefined, wantsPicture: false };
    const { fetched } = await engine.render(ask, new AbortController().signal);
    const isThere = fetched.kind === "body" && new TextDecoder().decode(fetched.bytes).includes(WORDS);
    if (isThere) return { engine: program.engine, works: true, program, ...found };
    const why = "detail" in fetched ? fetched.detail : fetched.kind;
    throw new BrowserError(`${program.path} started, but did not show a page: ${why}`, `another one: --browser ${program.engine}=<path>`);
  } finally {
    await engine.close();
    await exit.close();
  }
}

function opened(
  program: Program,
  way: Way,
  exit: Awaited<ReturnType<typeof openExit>>,
  found: { version: string; isSandboxed: boolean },
): Promise<Engine> {
  if (program.engine === "webkit")
    return openWebkit({
      ...rest,
      way,
      access: undefined,
      async start(exitUrl) {
        const driver = await startWebkit({ program, exitUrl, product: rest.product });
        found.version = driver.version;
        return driver;
      },
    });
  return openPlaywrightEngine({
    ...rest,
    exit,
    name: program.engine,
    async launch() {
      const launched = await launchBrowser(program, exit.url);
      Object.assign(found, { version: launched.version, isSandboxed: launched.isSandboxed });
      return launched;
    },
  });
}
