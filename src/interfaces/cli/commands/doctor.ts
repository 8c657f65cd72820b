import type { Command } from "commander";
import picocolors from "picocolors";
import { typedUrl } from "../../../core/typed-url.ts";
import { openApp } from "../../../engine/app.ts";
import { type Config, type ConfigFile, resolveConfig, SetupError } from "../../../engine/config/index.ts";
import { printable } from "../../../engine/telemetry/index.ts";
import { type Check, checkMachine } from "../../../features/doctor/doctor.ts";
import { checkBrowsers } from "../../../features/doctor/doctor-browsers.ts";
import { checkSite } from "../../../features/doctor/doctor-site.ts";
import { hasData } from "../../../store/index.ts";
import { openAnswer } from "../answer.ts";
import { addConfigFlags, flagLayer, loadConfig, newCommand, requireOwner } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import type { Globals } from "../globals.ts";
import { outputPath } from "../output.ts";
import { configFileOf, configPathOf, dbPathOf, type Shell, wantsColour } from "../shell.ts";
import { openWaitMessages } from "../waits.ts";
import { printAccessNotices } from "./access.ts";

type DoctorFlags = Globals & Readonly<Record<string, unknown>>;

export function build(shell: Shell, exit: (code: number) => void): Command {
  const command = newCommand(
    "doctor",
    "Whether all is well on this machine, and with a URL, how that site answers. Without one, nothing of the web is asked. With --render, which browsers work.",
  ).argument("[url]", "also look at this site: its robots.txt, its sitemaps and the page itself", typedUrl);
  return addConfigFlags(command).action(async (url: string | undefined, flags: DoctorFlags) => {
    const answer = openAnswer(shell, flags, "one");
    const { config, file, trouble } = await loadSettings(flags, shell, url);
    if (url !== undefined && config?.respectRobots === false) await requireOwner(flags, shell);
    if (url !== undefined && config) printAccessNotices(config, [{ url, namedBy: "person" }], flags, shell, file);
    const db = dbPathOf(flags, shell, trouble ? undefined : file);
    const machine = await checkMachine({ env: shell.env, db, config, configTrouble: trouble, configName: file?.name });
    const isUsable = machine.find(({ name }) => name === "data file")?.state === "ok" && (await hasData(db));
    const site =
      url === undefined || !config ? undefined : await inspectSite(url, config, isUsable ? db : ":memory:", openWaitMessages(shell, flags));
    const checks = [...machine, ...(await checkBrowsers(config)), ...(site?.checks ?? [])];
    const isHealthy = checks.every(({ state }) => state !== "bad");
    const suggested = site?.suggested ?? [];
    const isColoured = outputPath(flags) === undefined && wantsColour(flags, shell, shell.stdout);
    await answer({
      document: { isWell: isHealthy, checks, url: site?.url ?? null, site: site?.preview ?? null, suggested },
      text: `${doctorLines(checks, suggested, isColoured).join("\n")}\n`,
    });
    exit(isHealthy ? exitCodes.ok : exitCodes.error);
  });
}

/** A mistake in the flags is reported at once; mistakes in the config file or the environment are what doctor checks. */
async function loadSettings(flags: DoctorFlags, shell: Shell, url: string | undefined) {
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

async function inspectSite(url: string, config: Config, db: string, waits: ReturnType<typeof openWaitMessages>) {
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
