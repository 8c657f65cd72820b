import { CommanderError } from "commander";
import { SetupError } from "../config/index.ts";
import { StorageError, storageError } from "../store/index.ts";
import { printable } from "../telemetry/index.ts";
import { PatternError } from "../url/index.ts";
import { exitCodes } from "./exit-codes.ts";
import type { Shell } from "./shell.ts";

/** What, why, and what to do. Never a stack, unless -v asks for it. */
export function report(cause: unknown, shell: Shell, how: { isVerbose: boolean; isJson: boolean }): number {
  if (cause instanceof CommanderError && cause.exitCode === 0) return exitCodes.ok;
  const { code, message, hint } = classify(cause);
  const why = cause instanceof Error && cause.cause instanceof Error ? cause.cause.message : undefined;
  if (how.isJson)
    shell.stdout.write(`${JSON.stringify({ schemaVersion: 1, error: { message, why: why ?? null, hint, exitCode: code } })}\n`);
  const lines = [`nuthatch: ${message}`, ...(why && !message.includes(why) ? [`  why: ${why}`] : []), ...(hint ? [`  try: ${hint}`] : [])];
  for (const line of lines) shell.stderr.write(`${printable(line, 2000)}\n`);
  if (how.isVerbose && cause instanceof Error) shell.stderr.write(`${cause.stack}\n`);
  return code;
}

function classify(cause: unknown): { code: number; message: string; hint: string } {
  if (cause instanceof SetupError || cause instanceof PatternError)
    return { code: exitCodes.usage, message: cause.message, hint: cause.hint };
  if (cause instanceof StorageError) return { code: exitCodes.storage, message: cause.message, hint: cause.hint };
  if (cause instanceof CommanderError) {
    const [message = "", suggestion = ""] = cause.message.replace(/^error: /, "").split("\n");
    return { code: exitCodes.usage, message, hint: suggestion.replace(/^\(|\)$/g, "") || "add --help to see what can be said" };
  }
  const isSqlite = (cause as { code?: string })?.code === "ERR_SQLITE_ERROR";
  if (isSqlite) {
    const { message, hint } = storageError("the database", cause);
    return { code: exitCodes.storage, message, hint };
  }
  return {
    code: exitCodes.error,
    message: cause instanceof Error ? cause.message : String(cause),
    hint: "run again with -v to see where it happened",
  };
}
