import type { Config } from "../../engine/config/index.ts";
import { tryBrowsersFor } from "../../engine/network-access.ts";
import { bad, type Check, ok, warn } from "./doctor.ts";

/** Starts each engine and renders a page. A missing engine is a warning; having none is an error. */
export async function checkBrowsers(config: Config | undefined): Promise<Check[]> {
  if (!config || config.render === "never") return [];
  const tried = await tryBrowsersFor(config);
  const isAny = tried.some(({ works }) => works);
  return tried.map((one) => {
    if (!one.works) return (isAny ? warn : bad)(one.engine, one.message, one.hint);
    const sandbox = one.engine === "chromium" && !one.isSandboxed ? ", without a sandbox" : "";
    return ok(one.engine, `${one.version}, ${one.program.path}${sandbox}`);
  });
}
