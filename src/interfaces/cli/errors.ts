import { CommanderError } from "commander";
import { hostOf, PatternError } from "../../analysis/url/index.ts";
import { StuckError } from "../../core/stuck.ts";
import { fields, SetupError } from "../../engine/config/index.ts";
import { type HostPause, minuteText, type RunResult, type SeedResult } from "../../engine/crawl/index.ts";
import { escapeJsonControls } from "../../engine/formats/index.ts";
import { printable } from "../../engine/telemetry/index.ts";
import { reasonSentence } from "../../features/explain/reasons.ts";
import { isOutOfFiles, OutOfFiles } from "../../features/read-page/out-of-files.ts";
import { StorageError, storageError, WrongLocationError } from "../../store/index.ts";
import { Interrupted } from "./ask.ts";
import { exitCodes, isBlocked } from "./exit-codes.ts";
import type { Shell } from "./shell.ts";

export interface ReportOptions {
  readonly isVerbose: boolean;
  readonly isJson: boolean;
  /** Usage line of the command that was called. */
  readonly usage?: string | undefined;
}

/** Prints what failed, why, and what to do. A stack trace only with -v. */
export function reportError(cause: unknown, shell: Shell, options: ReportOptions): number {
  if (cause instanceof CommanderError && cause.exitCode === 0) return exitCodes.ok;
  if (cause instanceof Interrupted) {
    shell.stderr.write("\nNothing was changed.\n");
    return cause.exitCode;
  }
  const { code, message, hint } = classify(cause, options.usage);
  const why = cause instanceof Error && cause.cause instanceof Error ? cause.cause.message : undefined;
  const work = shell.underWay?.work;
  work?.leave?.();
  const resume = work && { resumeCommand: work.resumeCommand };
  if (options.isJson)
    shell.stdout.write(
      escapeJsonControls(
        `${JSON.stringify({ schemaVersion: 1, error: { message, why: why ?? null, hint, exitCode: code, ...resume } })}\n`,
      ),
    );
  const lines = [`nuthatch: ${message}`, ...(why && !message.includes(why) ? [`  why: ${why}`] : []), ...(hint ? [`  try: ${hint}`] : [])];
  if (work) lines.push(`  kept: ${work.kept}`, `  carry on: ${work.resumeCommand}`);
  for (const line of lines) shell.stderr.write(`${printable(line, 2000)}\n`);
  if (options.isVerbose && cause instanceof Error)
    for (const line of (cause.stack ?? "").split("\n")) shell.stderr.write(`${printable(line)}\n`);
  return code;
}

type FailedSeed = Pick<SeedResult, "url" | "reason" | "rule"> & { readonly finalUrl?: string | undefined };

/** The same three lines for a run that fetched no page. */
export function noPageLines(result: RunResult, code: number, commands: { readonly resume: string; readonly db: string }): string[] {
  const [seed] = result.seeds;
  if (!seed || (code !== exitCodes.noPages && code !== exitCodes.blocked)) return [];
  const others = result.seeds.length > 1 ? `, and ${result.seeds.length - 1} more` : "";
  const words = describeFailedSeed(seed, others, code);
  const pause = seed.verdict === "queued" ? result.paused?.find(({ host }) => host === hostOf(seed.finalUrl)) : undefined;
  return inThreeLines(pause ? { ...words, hint: pauseHint(pause, commands) } : words);
}

/** Advice for a host that is paused: only pauses of our own can be cleared. */
function pauseHint({ host, until, cause }: HostPause, { resume, db }: { readonly resume: string; readonly db: string }): string {
  const laterText = `from ${minuteText(until, Date.now())} on, ${resume} carries on`;
  if (cause === "retry-after" || cause === "crawl-delay") return `${laterText}; the host asked for this pause itself`;
  const freeCommand = `nuthatch hosts free ${host}${db}`;
  if (cause === "backoff") return `${resume} asks once more, at once, and then waits longer; ${freeCommand} forgets that it failed`;
  return `${laterText}; to ask at once, ${freeCommand}, then the same`;
}

/** The same for a single page, as lines and as the error of a JSON document. */
export function seedErrorOf(seed: FailedSeed, hint?: string) {
  const code = isBlocked(seed) ? exitCodes.blocked : exitCodes.noPages;
  const words = { ...describeFailedSeed(seed, "", code), ...(hint === undefined ? {} : { hint }) };
  return { code, lines: inThreeLines(words), error: { ...words, reason: seed.reason, exitCode: code } };
}

function describeFailedSeed(seed: FailedSeed, others: string, code: number) {
  const [why = "", hint] = reasonSentence(seed.reason).split(/(?<=\.) Try /);
  const { url, finalUrl = url } = seed;
  const redirectText = finalUrl === url ? "" : `, which redirects to ${finalUrl}`;
  const message = `no page could be fetched from ${url}${redirectText}${others}: ${seed.rule || seed.reason}`;
  if (seed.reason === "private-network") {
    // If robots.txt redirected elsewhere, its rule names the host to allow.
    const [, host = new URL(finalUrl).host] = /--allow-private (\S+)$/.exec(seed.rule) ?? [];
    return { message, why, hint: `if it is yours, say so: --allow-private ${host}` };
  }
  if (/^answered 401\b/.test(seed.rule)) return { message, why, hint: LOGIN_HINT };
  // nginx and Apache answer 400 to plain HTTP on a TLS port.
  if (/^answered 400\b/.test(seed.rule) && finalUrl.startsWith("http:"))
    return { message, why, hint: `if that port speaks HTTPS: ${finalUrl.replace("http:", "https:")}` };
  return { message, why, hint: hint ?? (code === exitCodes.blocked ? BLOCKED_HINT : adviceFor(seed)) };
}

/** Advice where the reason has none of its own. */
function adviceFor({ reason, rule }: FailedSeed): string {
  if (reason === "tls") return TLS_HINT;
  if (reason.startsWith("scope.") || rule.startsWith("--")) return "change that option, or name another URL";
  if (reason === "http.429" || reason.startsWith("host.")) return "wait until then, then run the same command again";
  if (reason === "http.5xx") return "try again later; if it lasts, the site's owner has to mend it";
  if (reason === "http.4xx") return "check the address";
  return NETWORK_HINT;
}

const inThreeLines = ({ message, why, hint }: { message: string; why: string; hint: string }) =>
  [`nuthatch: ${message}`, `  why: ${why}`, `  try: ${hint}`].map((line) => printable(line, 2000));

/** Option names of other crawlers, and what to use here. */
const otherCrawlerFlags: readonly (readonly [flag: RegExp, hint: string])[] = [
  [/^--(?:delay|wait|sleep)\b/, "--rate-limit 30/m: how often a host is asked"],
  [/^--(?:depth|level)\b/, "--max-depth 2: how many clicks from the start"],
  [/^--(?:concurrency|workers|threads|parallel)\b/, "--max-concurrent 8: how many requests at the same time"],
  [/^--max-(?:requests|urls)\b/, "--max-pages 500: how many pages at most"],
];
const LOGIN_HINT = "give it a login with --auth, --header or --cookies (see nuthatch crawl -hh)";
const BLOCKED_HINT = "ask the site's owner; nuthatch robots <url> shows what its robots.txt says";
const TLS_HINT = "do what the message says about the certificate or the port, then run the same command again";
const NETWORK_HINT = "check the address and your network, then run the same command again";

/** Error codes of failed writes, with cause and advice. */
const writeErrors: Readonly<Record<string, readonly [why: string, hint: string]>> = {
  ENOSPC: ["no space is left on its disk", "free some disk space, then run the same command again"],
  EDQUOT: ["your quota on its disk is used up", "free some of your disk space, then run the same command again"],
  EFBIG: ["it would become larger than its disk allows", "name a file on another disk"],
  EROFS: ["its disk cannot be written", "name a place on another disk"],
  EIO: ["its disk failed", "check the disk, or name a place on another one"],
};

function writeErrorOf(cause: unknown): { code: number; message: string; hint: string } | undefined {
  const { code = "", path } = (cause ?? {}) as NodeJS.ErrnoException;
  const [why, hint] = writeErrors[code] ?? [];
  if (why === undefined || hint === undefined) return undefined;
  const place = path ?? "a file";
  return { code: exitCodes.storage, message: `${place} could not be written whole: ${why}`, hint };
}

const outOfFilesError = ({ message, hint }: OutOfFiles) => ({ code: exitCodes.error, message, hint });

function classify(cause: unknown, usage: string | undefined): { code: number; message: string; hint: string } {
  if (cause instanceof SetupError || cause instanceof PatternError)
    return { code: exitCodes.usage, message: cause.message, hint: cause.hint };
  if (cause instanceof WrongLocationError) return { code: exitCodes.usage, message: cause.message, hint: cause.hint };
  if (isOutOfFiles(cause)) return outOfFilesError(new OutOfFiles((cause as Error).message));
  if (cause instanceof OutOfFiles) return outOfFilesError(cause);
  if (cause instanceof StuckError) return { code: exitCodes.stuck, message: cause.message, hint: cause.hint };
  if (cause instanceof StorageError) return { code: exitCodes.storage, message: cause.message, hint: cause.hint };
  const writeError = writeErrorOf(cause);
  if (writeError) return writeError;
  if (cause instanceof CommanderError) {
    const [message = "", suggestion = ""] = cause.message.replace(/^error: /, "").split("\n");
    const [, flag = ""] = /^unknown option '(.*)'$/.exec(message) ?? [];
    const known = /^(?:crawl|context)\b/.test(usage ?? "") ? otherCrawlerFlags.find(([pattern]) => pattern.test(flag)) : undefined;
    const isCrawlOption = !known && fields.some((field) => field.flag === flag.split("=")[0]);
    return {
      code: exitCodes.usage,
      message,
      hint: known
        ? known[1]
        : isCrawlOption
          ? `it is an option of nuthatch crawl; ${usage ? `nuthatch ${usage}; ` : ""}-h tells more`
          : suggestion.replace(/^\(D/, "d").replace(/\)$/, "") || (usage ? `nuthatch ${usage}; -h tells more` : "-h tells more"),
    };
  }
  // Decompression errors of web responses are handled elsewhere; an error here means that stored data is damaged.
  const isStored = /^(ERR_SQLITE_ERROR$|ERR__ERROR_|Z_)/.test((cause as { code?: string })?.code ?? "");
  if (isStored) {
    const { message, hint } = storageError("the database", cause);
    return { code: exitCodes.storage, message, hint };
  }
  return {
    code: exitCodes.error,
    message: cause instanceof Error ? cause.message : String(cause),
    hint: "run again with -v to see where it happened",
  };
}
