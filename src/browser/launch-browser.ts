import type { Browser, LaunchOptions } from "playwright-core";
import { BrowserError } from "./browser-error.ts";
import { limits, unwanted } from "./chromium-limits.ts";
import { type Program, titles } from "./find-browser.ts";
import { firefoxPrefs } from "./firefox-prefs.ts";
import { holdLeash } from "./leash.ts";
import { loadPlaywright } from "./load-playwright.ts";

/** A browser that was started, with nothing but the exit to go out by. */
export interface Launched {
  readonly browser: Browser;
  readonly version: string;
  /** As root, and where the system does not let it, there is none. */
  readonly isSandboxed: boolean;
  /** Every process of it bears this in its environment (NUTHATCH_BROWSER), or is of the group of one that does. */
  readonly mark: string;
  /** Nothing of it runs when this is done, however it takes the news. */
  close(): Promise<void>;
}

const START = 30_000;
/** One that has not closed by itself by then is ended. */
const FAREWELL = 3_000;

/**
 * Names are not looked up, and loopback is not exempt from the proxy. WebRTC has no flag of its own that ends it: its policy leaves it no way but the proxy
 * (an earlier Chromium knew the switch under its other name).
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
    // Ctrl-C is the crawl's to understand.
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

/** Playwright tells Firefox of a proxy for http alone, and https would go out by itself: so the proxy is in the preferences. */
function firefoxOptions({ from }: Program, exitUrl: string, mark: string): LaunchOptions {
  return {
    ...(from !== "playwright" && { channel: "moz-firefox" }),
    firefoxUserPrefs: firefoxPrefs(Number(new URL(exitUrl).port)),
    args: [`--${mark}`],
  };
}

/** What the browser said itself is worth more than what Playwright makes of its silence. */
function unstartable({ engine, path }: Program, cause: Error): BrowserError {
  const said = /\[err\] (.+)/.exec(cause.message)?.[1] ?? cause.message.split("\n", 1)[0]!.replace(/^browserType\.launch: /, "");
  return new BrowserError(`${titles[engine]} (${path}) did not start: ${said}`, `try it by hand: ${path} --version`, { cause });
}

/** Resolves when it is done, or it is time; what went wrong is of no interest to who wants an end. */
export async function within(patience: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, patience);
  });
  await Promise.race([work.then(() => undefined).catch(() => undefined), late]);
  clearTimeout(timer);
}
