import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { SetupError } from "./setup-error.ts";

/**
 * The default export of a module. Falls back to jiti for TypeScript that Node cannot load, and for imports of "nuthatch" if it is not
 * installed.
 */
export async function importFile(path: string): Promise<unknown> {
  try {
    const module = (await import(pathToFileURL(resolve(path)).href).catch((error: unknown) => {
      if (needsJiti(error)) return importWithJiti(resolve(path));
      throw error;
    })) as { default?: unknown };
    return module.default;
  } catch (error) {
    throw new SetupError(`cannot load ${path}: ${errorText(error)}`, "the file must be an ES module with a default export");
  }
}

/** The error on one line, with its position as for other files. */
function errorText(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const [, what, line, column] = /^ParseError: (.*?)\s*\n.*:(\d+):(\d+)$/s.exec(message) ?? [];
  return what === undefined ? message.replace(/\s+/g, " ") : `line ${line}, column ${Number(column) + 1}: ${what}`;
}

/** A syntax error in Node may mean TypeScript; if it is a real error, jiti reports its position. */
function needsJiti(error: unknown): boolean {
  const { code, message } = error as NodeJS.ErrnoException;
  if (error instanceof SyntaxError || code === "ERR_UNKNOWN_FILE_EXTENSION") return true;
  return code === "ERR_MODULE_NOT_FOUND" && /package 'nuthatch'/.test(message);
}

async function importWithJiti(path: string): Promise<unknown> {
  const [{ createJiti }, nuthatch] = await Promise.all([import("jiti"), import("nuthatch")]);
  return createJiti(import.meta.url, { fsCache: false, virtualModules: { nuthatch } }).import(path);
}
