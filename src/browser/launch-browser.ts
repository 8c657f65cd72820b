import type { Browser, LaunchOptions } from "playwright-core";
import { BrowserError } from "./browser-error.ts";
import { limits, unwanted } from "./chromium-limits.ts";
import { type Program, titles } from "./find-browser.ts";
import { firefoxPrefs } from "./firefox-prefs.ts";
import { holdLeash } from "./leash.ts";
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

const START = 30_000;
/** A browser that has not closed by then is killed. */
const FAREWELL = 3_000;

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

export async function launchBrowser(program: Program, exitUrl: string): Promise<Launched> {
  if (program.engine === "firefox") return launch(program, exitUrl, false);
  if (process.getuid?.() === 0 || program.from === "package") return launch(program, exitUrl, false);
  try {
    return await launch(program, exitUrl, true);
  } catch (error) {
    if (!/sandbox/i.test((error as Error).message)) throw error;
    return launch(program, exitUrl, false);
  }
}

async function launch(program: Program, exitUrl: string, isSandboxed: boolean): Promise<Launched> {
  const playwright = await loadPlaywright();
  const leash = holdLeash();
  const options: LaunchOptions = {
    executablePath: program.path,
    env: leash.env,
    artifactsDir: leash.folder,
    timeout: START,
    // The crawl handles Ctrl-C.
    ...{ handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false },
  };
  try {
    const browser =
      program.engine === "firefox"
        ? await playwright.firefox.launch({ ...options, ...firefoxOptions(program, exitUrl, leash.mark) })
        : await playwright.chromium.launch({ ...options, ...chromiumOptions(exitUrl, leash.mark), chromiumSandbox: isSandboxed });
    const close = async () => {
      await within(FAREWELL, browser.close());
      await leash.pull();
    };
    return { browser, version: browser.version(), isSandboxed: isSandboxed || program.engine === "firefox", mark: leash.mark, close };
  } catch (cause) {
    await leash.pull();
    throw unstartable(program, cause as Error);
  }
}

function chromiumOptions(exitUrl: string, mark: string): LaunchOptions {
  return { proxy: { server: exitUrl }, args: [...chromiumArgs, ...limits, `--${mark}`], ignoreDefaultArgs: unwanted };
}

/** Playwright sets Firefox's proxy for http only, and https would bypass it. So the proxy is set in the preferences. */
function firefoxOptions({ from }: Program, exitUrl: string, mark: string): LaunchOptions {
  return {
    ...(from !== "playwright" && { channel: "moz-firefox" }),
    firefoxUserPrefs: firefoxPrefs(Number(new URL(exitUrl).port)),
    args: [`--${mark}`],
  };
}

/** The browser's own error output is more helpful than Playwright's message. */
function unstartable({ engine, path }: Program, cause: Error): BrowserError {
  const said = /\[err\] (.+)/.exec(cause.message)?.[1] ?? cause.message.split("\n", 1)[0]!.replace(/^browserType\.launch: /, "");
  return new BrowserError(`${titles[engine]} (${path}) did not start: ${said}`, `try it by hand: ${path} --version`, { cause });
}

/** Resolves when the work is done or the time is over; errors are ignored. */
export async function within(patience: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, patience);
  });
  await Promise.race([work.then(() => undefined).catch(() => undefined), late]);
  clearTimeout(timer);
}
