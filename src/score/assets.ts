import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The only file of this module that reads from disk, and only assets that are shipped with the program. */
export function readAsset(name: string): Buffer {
  // The built package is one folder deeper.
  const [source, built] = ["../../assets/", "../../../assets/"].map((folder) => fileURLToPath(new URL(folder + name, import.meta.url)));
  return readFileSync(existsSync(source!) ? source! : built!);
}
