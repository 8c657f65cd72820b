import type { Browser, LaunchOptions } from "playwright-core";
import { BrowserError } from "./browser-error.ts";
import { limitSwitches, unwantedSwitches } from "./chromium/chromium-limits.ts";
import { startProcessGuard } from "./exit/process-guard.ts";
import { type BrowserProgram, engineTitles } from "./find-browser.ts";
import { firefoxPrefs } from "./firefox/firefox-prefs.ts";
import { loadPlaywright } from "./load-playwright.ts";

/** A running browser whose only network access is the exit. */
export interface Launched {
  readonly browser: Browser;
  readonly version: string;
  /** There is no sandbox when running as root, or if the system does not permit one. */
  readonly isSandboxed: boolean;
  /** Every process of the browser has this in its environment (NUTHATCH_BROWSER), or belongs to the process group of one that does. */
  readonly mark: string;
  /** All its processes have exited when this resolves. */
  close(): Promise<void>;
}

const START_TIMEOUT_MS = 30_000;
/** A browser that has not closed by then is killed. */
const CLOSE_TIMEOUT_MS = 3_000;

/**
 * Disables DNS lookups and the proxy exemption for loopback. WebRTC has no flag to disable it, but its policy can
 * restrict it to the proxy (the second switch is the name in earlier versions of Chromium).
 */
const chromiumArgs = [
  "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
  "--proxy-bypass-list=<-loopback>",
  "--disable-quic",
  "--webrtc-ip-handling-policy=disable_non_proxied_udp",
  "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
  "--dns-prefetch-disable",
  "--disable-crash-reporter",
  "--disable-sync",
];

export async function launchBrowser(program: BrowserProgram, exitUrl: string): Promise<Launched> {
  if (program.engine === "firefox") return launch(program, exitUrl, false);
  if (process.getuid?.() === 0 || program.from === "package") return launch(program, exitUrl, false);
  try {
    return await launch(program, exitUrl, true);
  } catch (error) {
    if (!/sandbox/i.test((error as Error).message)) throw error;
    return launch(program, exitUrl, false);
  }
}

async function launch(program: BrowserProgram, exitUrl: string, isSandboxed: boolean): Promise<Launched> {
  const playwright = await loadPlaywright();
  const guard = startProcessGuard();
  const options: LaunchOptions = {
    executablePath: program.path,
    env: guard.env,
    artifactsDir: guard.folder,
    timeout: START_TIMEOUT_MS,
    // The crawl handles Ctrl-C.
    ...{ handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false },
  };
  try {
    const browser =
      program.engine === "firefox"
        ? await playwright.firefox.launch({ ...options, ...firefoxOptions(program, exitUrl, guard.mark) })
        : await playwright.chromium.launch({ ...options, ...chromiumOptions(exitUrl, guard.mark), chromiumSandbox: isSandboxed });
    const close = async () => {
      await waitAtMost(CLOSE_TIMEOUT_MS, browser.close());
      await guard.killAll();
    };
    return { browser, version: browser.version(), isSandboxed: isSandboxed || program.engine === "firefox", mark: guard.mark, close };
  } catch (cause) {
    await guard.killAll();
    throw startError(program, cause as Error);
  }
}

function chromiumOptions(exitUrl: string, mark: string): LaunchOptions {
  return { proxy: { server: exitUrl }, args: [...chromiumArgs, ...limitSwitches, `--${mark}`], ignoreDefaultArgs: unwantedSwitches };
}

/** Playwright sets Firefox's proxy for http only, and https would bypass it. So the proxy is set in the preferences. */
function firefoxOptions({ from }: BrowserProgram, exitUrl: string, mark: string): LaunchOptions {
  return {
    ...(from !== "playwright" && { channel: "moz-firefox" }),
    firefoxUserPrefs: firefoxPrefs(Number(new URL(exitUrl).port)),
    args: [`--${mark}`],
  };
}

/** The browser's own error output is more helpful than Playwright's message. */
function startError({ engine, path }: BrowserProgram, cause: Error): BrowserError {
  const message = /\[err\] (.+)/.exec(cause.message)?.[1] ?? cause.message.split("\n", 1)[0]!.replace(/^browserType\.launch: /, "");
  return new BrowserError(`${engineTitles[engine]} (${path}) did not start: ${message}`, `try it by hand: ${path} --version`, { cause });
}

/** Resolves when the work is done or the time is over; errors are ignored. */
export async function waitAtMost(timeoutMs: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, timeoutMs);
  });
  await Promise.race([work.then(() => undefined).catch(() => undefined), timeout]);
  clearTimeout(timer);
}
