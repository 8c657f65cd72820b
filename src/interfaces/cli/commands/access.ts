import { type Seed, urlsOf } from "../../../core/seed.ts";
import { type Config, type ConfigFile, trustedSeedTest } from "../../../engine/config/index.ts";
import { accessFor } from "../../../engine/network-access.ts";
import { printable } from "../../../engine/telemetry/index.ts";
import type { Globals } from "../globals.ts";
import { quotedArg, type Shell } from "../shell.ts";

/** Prints notices before the first request: what a proxy hides from us, credentials sent without TLS, and seeds that get no credentials. */
export function printAccessNotices(
  config: Config,
  seeds: readonly Seed[],
  flags: Globals,
  shell: Shell,
  file: ConfigFile | undefined,
): void {
  const maySendCredentials = trustedSeedTest(file);
  const trustedSeeds = seeds.filter(maySendCredentials);
  const notices = [
    ...(accessFor(config, urlsOf(trustedSeeds))?.notices ?? []),
    ...unsentNotices(config, seeds.length - trustedSeeds.length),
  ];
  if (!flags.quiet) for (const notice of notices) shell.stderr.write(`${printable(notice, 2000)}\n`);
}

function unsentNotices({ header, auth, cookies }: Config, unsentCount: number): string[] {
  if (unsentCount === 0 || (header.length + auth.length === 0 && cookies === undefined)) return [];
  const subject = unsentCount === 1 ? "One address" : `${unsentCount} addresses`;
  return [
    `${subject} that you neither typed nor named in the config file: no header, password or cookie is sent there unless it names that origin.`,
  ];
}

/** Typed flags that a run does not store, for the suggested resume command. Secrets are left out as "…". */
export function unstoredFlags(flags: Readonly<Record<string, unknown>>, options: Readonly<Record<string, unknown>>): string {
  const typed = (key: string) => (Array.isArray(flags[key]) ? (flags[key] as string[]) : []);
  const typedTraces = (key: string) => (typed(key).length > 0 && Array.isArray(options[key]) ? (options[key] as string[]) : []);
  return [
    ...typedTraces("header").map((trace) => `--header ${quotedArg(`${trace} …`)}`),
    ...typedTraces("auth").map((trace) => `--auth ${quotedArg(trace.replace(/:$/, "…"))}`),
    ...typed("cookies").map((file) => `--cookies ${quotedArg(file)}`),
    ...typed("proxy").map(() => "--proxy …"),
    ...typed("llmUrl").map((url) => `--llm-url ${quotedArg(url)}`),
    ...typed("ca").map((file) => `--ca ${quotedArg(file)}`),
  ]
    .map((words) => ` ${words}`)
    .join("");
}
