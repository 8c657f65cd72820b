import type { Command } from "commander";
import picocolors from "picocolors";
import { openApp } from "../app.ts";
import { type Config, type ConfigFile, resolveConfig, SetupError } from "../config/index.ts";
import { type Check, checkMachine } from "../operations/doctor.ts";
import { checkBrowsers } from "../operations/doctor-browsers.ts";
import { checkSite } from "../operations/doctor-site.ts";
import { holdsData } from "../store/index.ts";
import { printable } from "../telemetry/index.ts";
import { typedUrl } from "../typed-url.ts";
import { tellAccess } from "./access.ts";
import { openAnswer } from "./answer.ts";
import { addConfigFlags, flagLayer, loadConfig, needOwner, newCommand } from "./command.ts";
import { exitCodes } from "./exit-codes.ts";
import type { Globals } from "./globals.ts";
import { outputPath } from "./output.ts";
import { configFileOf, configPathOf, dbPathOf, type Shell, wantsColour } from "./shell.ts";
import { openWaits } from "./waits.ts";

type DoctorFlags = Globals & Readonly<Record<string, unknown>>;

export function build(shell: Shell, exit: (code: number) => void): Command {
  const command = newCommand(
    "doctor",
    "Whether all is well on this machine, and with a URL, how that site answers. Without one, nothing of the web is asked. With --render, which browsers work.",
  ).argument("[url]", "also look at this site: its robots.txt, its sitemaps and the page itself", typedUrl);
  return addConfigFlags(command).action(async (url: string | undefined, flags: DoctorFlags) => {
    const answer = openAnswer(shell, flags, "one");
    const { config, file, trouble } = await loaded(flags, shell, url);
    if (url !== undefined && config?.respectRobots === false) await needOwner(flags, shell);
    if (url !== undefined && config) tellAccess(config, [{ url, namedBy: "person" }], flags, shell, file);
    const db = dbPathOf(flags, shell, trouble ? undefined : file);
    const machine = await checkMachine({ env: shell.env, db, config, configTrouble: trouble, configName: file?.name });
    const isUsable = machine.find(({ name }) => name === "data file")?.state === "ok" && (await holdsData(db));
    const site = url === undefined || !config ? undefined : await lookAt(url, config, isUsable ? db : ":memory:", openWaits(shell, flags));
    const checks = [...machine, ...(await checkBrowsers(config)), ...(site?.checks ?? [])];
    const isWell = checks.every(({ state }) => state !== "bad");
    const suggested = site?.suggested ?? [];
    const isColoured = outputPath(flags) === undefined && wantsColour(flags, shell, shell.stdout);
    await answer({
      document: { isWell, checks, url: site?.url ?? null, site: site?.preview ?? null, suggested },
      text: `${doctorLines(checks, suggested, isColoured).join("\n")}\n`,
    });
    exit(isWell ? exitCodes.ok : exitCodes.error);
  });
}

/** A mistake in the flags is reported at once; mistakes in the config file or the environment are what doctor checks. */
async function loaded(flags: DoctorFlags, shell: Shell, url: string | undefined) {
  resolveConfig([flagLayer(flags)]);
  // An untrusted config file (one that another user could have written) is refused here, not reported as a check.
  configPathOf(flags, shell);
  let file: ConfigFile | undefined;
  try {
    file = await configFileOf(flags, shell);
    return { file, config: loadConfig(flags, shell, file, url === undefined ? [] : [url]), trouble: undefined };
  } catch (cause) {
    if (!(cause instanceof SetupError)) throw cause;
    return { file, config: undefined, trouble: { message: cause.message, hint: cause.hint } };
  }
}

async function lookAt(url: string, config: Config, db: string, waits: ReturnType<typeof openWaits>) {
  const app = await openApp({ db });
  try {
    return await checkSite(app, { url, config, onStart: waits.onStart });
  } finally {
    waits.stop();
    await app.close();
  }
}

function doctorLines(checks: readonly Check[], suggested: readonly string[], isColoured: boolean): string[] {
  const colours = picocolors.createColors(isColoured);
  const marks = { ok: colours.green("✓"), warn: colours.yellow("!"), bad: colours.red("✗") };
  const width = Math.max(...checks.map(({ name }) => name.length));
  const lines = checks.flatMap(({ name, state, said, fix }) => [
    `${marks[state]} ${name.padEnd(width)}  ${printable(said)}`,
    ...(fix === null ? [] : [`  ${" ".repeat(width)}  → ${printable(fix)}`]),
  ]);
  if (suggested.length === 0) return lines;
  return [...lines, "", "For nuthatch.config.yaml:", ...suggested.map((line) => `  ${printable(line)}`)];
}
