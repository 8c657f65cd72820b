import { existsSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { unsafeReasonAt } from "../../core/file-owner.ts";
import { BrowserError } from "./browser-error.ts";
import type { EngineName } from "./engine.ts";
import { loadPlaywright, PLAYWRIGHT } from "./load-playwright.ts";
import { parseProgram } from "./parse-program.ts";

/** An engine's program, and where it was found. */
export interface BrowserProgram {
  readonly engine: EngineName;
  readonly path: string;
  readonly from: "given" | "playwright" | "system" | "package";
}

const systemNames: Readonly<Record<EngineName, readonly string[]>> = {
  chromium: ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "microsoft-edge"],
  firefox: ["firefox-esr", "firefox"],
  webkit: ["WebKitWebDriver"],
};

/** Paths on systems where the programs are not in PATH. */
const otherPaths: Readonly<Record<EngineName, readonly string[]>> = {
  chromium: ["/Applications/Google Chrome.app/Contents/MacOS/Google Chrome", "/Applications/Chromium.app/Contents/MacOS/Chromium"],
  firefox: ["/Applications/Firefox.app/Contents/MacOS/firefox"],
  webkit: [],
};

/**
 * Searches in this order: the program that the user named, Playwright's own, the system's, the npm package. Throws a
 * BrowserError with an install command.
 */
export async function findBrowser(engine: EngineName, given: readonly string[]): Promise<BrowserProgram> {
  const found = findGiven(given, engine) ?? (await findPlaywright(engine)) ?? findSystemBrowser(engine) ?? (await findPackaged(engine));
  if (found) return found;
  throw new BrowserError(`no ${engineTitles[engine]} was found on this machine`, installCommand(engine));
}

export const engineTitles: Readonly<Record<EngineName, string>> = { chromium: "Chromium", firefox: "Firefox", webkit: "WebKit" };

/**
 * The installed ones of the engines, in the given order. Throws if a named program does not exist, or if none is
 * installed (with the hint for the first).
 */
export async function findBrowsers(engines: readonly EngineName[], given: readonly string[]): Promise<BrowserProgram[]> {
  for (const engine of engines) findGiven(given, engine);
  const found = await Promise.all([...new Set(engines)].map((engine) => findBrowser(engine, given).catch(returnBrowserError)));
  const programs = found.filter((one): one is BrowserProgram => !(one instanceof BrowserError));
  const [firstMissing] = found;
  if (programs.length === 0 && firstMissing instanceof BrowserError) throw firstMissing;
  return programs;
}

function returnBrowserError(error: unknown): BrowserError {
  if (error instanceof BrowserError) return error;
  throw error;
}

function findGiven(given: readonly string[], engine: EngineName): BrowserProgram | undefined {
  const named = given.map(parseProgram).findLast((one) => one?.engine === engine);
  if (!named) return undefined;
  const path = resolve(named.path);
  if (existsSync(path)) return { engine, path, from: "given" };
  throw new BrowserError(`there is no program ${path}`, `--browser ${engine}=<path>, or leave it out and one is looked for`);
}

async function findPlaywright(engine: EngineName): Promise<BrowserProgram | undefined> {
  if (engine === "webkit") return undefined;
  const path = (await loadPlaywright())[engine].executablePath();
  return existsSync(path) ? { engine, path, from: "playwright" } : undefined;
}

function findSystemBrowser(engine: EngineName): BrowserProgram | undefined {
  const path = systemNames[engine].map(findInPath).find((found) => found !== undefined) ?? otherPaths[engine].find(existsSync);
  if (path === undefined || (engine === "webkit" && findInPath("Xvfb") === undefined)) return undefined;
  return { engine, path, from: "system" };
}

export function findInPath(name: string): string | undefined {
  const folders = (process.env.PATH ?? "").split(delimiter).filter(Boolean);
  return folders.map((folder) => join(folder, name)).find(existsSync);
}

async function findPackaged(engine: EngineName): Promise<BrowserProgram | undefined> {
  if (engine !== "chromium" || process.platform !== "linux" || process.arch !== "x64") return undefined;
  try {
    const { default: chromiumPackage } = await import("@sparticuz/chromium");
    return { engine, path: checkedPath(await chromiumPackage.executablePath()), from: "package" };
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ERR_MODULE_NOT_FOUND") return undefined;
    if (cause instanceof BrowserError) throw cause;
    throw new BrowserError("the Chromium of @sparticuz/chromium could not be unpacked", "check the free space of the temporary folder", {
      cause,
    });
  }
}

/** The package unpacks once into the folder for temporary files, where any user could have placed a program of that name before. */
function checkedPath(path: string): string {
  const problem = unsafeReasonAt(path);
  if (problem === undefined) return path;
  throw new BrowserError(
    `${path} is not started: it ${problem}`,
    "remove it, set TMPDIR to a folder of your own, or name a browser: --browser chromium=<path>",
  );
}

/** The command that installs it. */
function installCommand(engine: EngineName): string {
  const hasApt = findInPath("apt-get") !== undefined;
  if (engine === "webkit") return "apt-get install -y --no-install-recommends webkit2gtk-driver xvfb";
  if (engine === "firefox" && hasApt) return "apt-get install -y --no-install-recommends firefox-esr";
  return `npx ${PLAYWRIGHT} install --with-deps ${engine}`;
}
