import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { BrowserError } from "../browser-error.ts";
import { type ProcessGuard, startProcessGuard } from "../exit/process-guard.ts";
import { type BrowserProgram, findInPath } from "../find-browser.ts";
import { waitAtMost } from "../launch-browser.ts";
import { VIEWPORT, withHangTimeout } from "../tab.ts";

/** WebKit driven over WebDriver: a virtual screen, the driver, and a browser with one window. */
export interface WebkitDriver {
  readonly version: string;
  readonly mark: string;
  /** Sends a WebDriver command in the session; rejects with a DriverError. */
  command(method: "GET" | "POST" | "DELETE", path: string, body?: object): Promise<unknown>;
  close(): Promise<void>;
}

export class DriverError extends Error {
  /** WebDriver's error code: "timeout", "javascript error", … */
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

export interface DriverSetup {
  readonly program: BrowserProgram;
  readonly exitUrl: string;
  /** Appended to the browser's own user agent; `userAgent` replaces both. */
  readonly product: string;
  readonly userAgent?: string | undefined;
}

const START_TIMEOUT_MS = 30_000;
const CLOSE_TIMEOUT_MS = 2_000;
/** Longer than any caller waits for a page. */
const SESSION_TIMEOUT_MS = 60_000;

/** Requests that pages may not make. The browser itself enforces this, so it also holds for https. */
const blockedRequests = [
  {
    trigger: {
      "url-filter": "^https?:",
      "resource-type": ["image", "svg-document", "font", "media", "popup", "ping", "websocket", "other"],
    },
    action: { type: "block" },
  },
];

const disabledFeatures = ["ServiceWorkers", "LinkPreconnect", "LinkPreconnectEarlyHints", "LinkDNSPrefetch", "BeaconAPI", "WebSocket"];

/** The default user agent of each program. */
const defaultUserAgents = new Map<string, string>();

/** The driver sometimes loses its browser and waits forever. Then it is started once more. */
export async function startWebkit(setup: DriverSetup): Promise<WebkitDriver> {
  try {
    return await start(setup).catch((error: Error) => (error instanceof BrowserError ? Promise.reject(error) : start(setup)));
  } catch (cause) {
    if (cause instanceof BrowserError) throw cause;
    const hint = "apt-get install -y --no-install-recommends webkit2gtk-driver xvfb";
    throw new BrowserError(`WebKit (${setup.program.path}) did not start: ${(cause as Error).message}`, hint, { cause });
  }
}

async function start(setup: DriverSetup): Promise<WebkitDriver> {
  const guard = startProcessGuard();
  try {
    return await withHangTimeout(startWithGuard(guard, setup), START_TIMEOUT_MS);
  } catch (error) {
    await guard.killAll();
    throw error;
  }
}

async function startWithGuard(guard: ProcessGuard, { program, exitUrl, ...agent }: DriverSetup): Promise<WebkitDriver> {
  const display = await startScreen(guard);
  const sendCommand = await startDriver(program, guard, display);
  if (agent.userAgent === undefined && !defaultUserAgents.has(program.path))
    defaultUserAgents.set(program.path, await readDefaultUserAgent(sendCommand, exitUrl, guard));
  const userAgent = agent.userAgent ?? `${defaultUserAgents.get(program.path)} ${agent.product}`;
  const session = await openSession(sendCommand, { exitUrl, guard, userAgent });
  await setViewport((path, body) => sendCommand("POST", `/session/${session.id}${path}`, body));
  return {
    version: session.version,
    mark: guard.mark,
    command: (method, path, body) => sendCommand(method, `/session/${session.id}${path}`, body),
    async close() {
      await waitAtMost(CLOSE_TIMEOUT_MS, sendCommand("DELETE", `/session/${session.id}`));
      await guard.killAll();
    },
  };
}

type SendCommand = (method: "GET" | "POST" | "DELETE", path: string, body?: object) => Promise<unknown>;

/** With an access key, so that other users of the machine cannot see the screen. */
async function startScreen(guard: ProcessGuard): Promise<string> {
  const program = findInPath("Xvfb");
  if (program === undefined) throw new BrowserError("WebKit needs Xvfb, a screen that nobody sees", "apt-get install -y xvfb");
  const auth = join(guard.folder, "screen-key");
  writeFileSync(auth, screenKey(), { mode: 0o600 });
  const args = ["-displayfd", "1", "-screen", "0", "1600x1200x24", "-nolisten", "tcp", "-auth", auth];
  const screen = spawn(program, args, { detached: true, env: guard.env, stdio: ["ignore", "pipe", "ignore"] });
  screen.unref();
  const number = await firstLine(screen.stdout, "the screen did not start");
  (screen.stdout as unknown as { unref(): void }).unref();
  return `:${number}`;
}

/** The format of .Xauthority: family (any), then address, number, name and key, each preceded by its length. */
function screenKey(): Buffer {
  const field = (bytes: Buffer) => Buffer.concat([Buffer.from([bytes.length >> 8, bytes.length & 255]), bytes]);
  const parts = [Buffer.alloc(0), Buffer.alloc(0), Buffer.from("MIT-MAGIC-COOKIE-1"), randomBytes(16)];
  return Buffer.concat([Buffer.from([255, 255]), ...parts.map(field)]);
}

async function firstLine(stream: Readable, message: string): Promise<string> {
  const [line] = (await Promise.race([
    once(stream, "data", { signal: AbortSignal.timeout(START_TIMEOUT_MS) }),
    once(stream, "close").then(() => Promise.reject(new Error(message))),
  ])) as [Buffer];
  return line.toString("latin1").trim();
}

async function startDriver(program: BrowserProgram, guard: ProcessGuard, display: string): Promise<SendCommand> {
  const port = await freePort();
  const env = { ...guard.env, DISPLAY: display, XAUTHORITY: join(guard.folder, "screen-key"), LIBGL_ALWAYS_SOFTWARE: "1" };
  const driver = spawn(program.path, [`--port=${port}`, "--host=127.0.0.1"], { detached: true, env, stdio: "ignore" });
  driver.unref();
  let failure: Error | undefined;
  driver.once("error", (error) => {
    failure = error;
  });
  const sendCommand: SendCommand = (method, path, body) => send(`http://127.0.0.1:${port}${path}`, method, body);
  for (const deadline = Date.now() + START_TIMEOUT_MS; ; ) {
    if (failure) throw failure;
    try {
      await sendCommand("GET", "/status");
      return sendCommand;
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function send(url: string, method: string, body: object | undefined): Promise<unknown> {
  const response = await fetch(url, { method, ...(body && { body: JSON.stringify(body) }) });
  const { value } = (await response.json()) as { value: unknown };
  if (response.ok) return value;
  const { error = "unknown", message = "" } = value as { error?: string; message?: string };
  throw new DriverError(error, message || error);
}

interface SessionSetup {
  readonly exitUrl: string;
  readonly guard: ProcessGuard;
  readonly userAgent: string | undefined;
}

/** The proxy is set on the command line, because WebDriver's capability for https is taken as a proxy that speaks TLS. */
async function openSession(
  sendCommand: SendCommand,
  { exitUrl, guard, userAgent }: SessionSetup,
): Promise<{ id: string; version: string }> {
  const rules = join(guard.folder, "filter.json");
  writeFileSync(rules, JSON.stringify(blockedRequests));
  const args = [
    "--automation",
    "--private",
    // The exit verifies the certificates of servers.
    "--ignore-tls-errors",
    `--proxy=${exitUrl}`,
    `--content-filter=${rules}`,
    `--features=${disabledFeatures.map((name) => `-${name}`).join(",")}`,
    "--enable-webrtc=FALSE",
    "--enable-media=FALSE",
    "--enable-dns-prefetching=FALSE",
    "--enable-site-specific-quirks=FALSE",
    ...(userAgent === undefined ? [] : [`--user-agent=${userAgent}`]),
  ];
  const capabilities = {
    alwaysMatch: {
      "webkitgtk:browserOptions": { args },
      unhandledPromptBehavior: "dismiss",
      // We detect ourselves when a page has loaded.
      pageLoadStrategy: "none",
      timeouts: { pageLoad: SESSION_TIMEOUT_MS, script: SESSION_TIMEOUT_MS },
    },
  };
  const { sessionId, capabilities: received } = await newSession(sendCommand, capabilities, 5);
  return { id: sessionId, version: received.browserVersion };
}

/** A browser that is not ready when its window is requested fails at first; a retry succeeds. */
async function newSession(
  sendCommand: SendCommand,
  capabilities: object,
  tries: number,
): Promise<{ sessionId: string; capabilities: { browserVersion: string } }> {
  try {
    return (await sendCommand("POST", "/session", { capabilities })) as { sessionId: string; capabilities: { browserVersion: string } };
  } catch (error) {
    if (tries <= 1 || !(error instanceof DriverError) || error.code !== "session not created") throw error;
    await new Promise((resolve) => setTimeout(resolve, 200));
    return newSession(sendCommand, capabilities, tries - 1);
  }
}

/** A window has bars around the page, so its size is corrected. */
async function setViewport(post: (path: string, body: object) => Promise<unknown>): Promise<void> {
  const { width, height } = VIEWPORT;
  await post("/window/rect", { x: 0, y: 0, width, height });
  const script = "return [innerWidth, innerHeight]";
  const [innerWidth, innerHeight] = (await post("/execute/sync", { script, args: [] })) as [number, number];
  await post("/window/rect", { width: 2 * width - innerWidth, height: 2 * height - innerHeight });
}

async function readDefaultUserAgent(sendCommand: SendCommand, exitUrl: string, guard: ProcessGuard): Promise<string> {
  const { id } = await openSession(sendCommand, { exitUrl, guard, userAgent: undefined });
  const agent = await sendCommand("POST", `/session/${id}/execute/sync`, { script: "return navigator.userAgent", args: [] });
  await sendCommand("DELETE", `/session/${id}`);
  return String(agent);
}
