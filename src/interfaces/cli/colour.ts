import type { Globals } from "./globals.ts";
import type { Shell } from "./shell.ts";

/** https://no-color.org, https://force-color.org; no colour if the stream is not a terminal. */
export function wantsColour(globals: Pick<Globals, "json" | "color">, shell: Shell, stream: NodeJS.WriteStream): boolean {
  if (globals.json || globals.color === "never" || globals.color === false) return false;
  if (globals.color === "always") return true;
  if (shell.env.NO_COLOR) return false;
  if (shell.env.FORCE_COLOR && shell.env.FORCE_COLOR !== "0") return true;
  return stream.isTTY === true && shell.env.TERM !== "dumb";
}
