import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The only file of the room that touches the disk, and only to read what we ship: assets/ is part of the program, not of the outside world. */
export function readAsset(name: string): Buffer {
  // The package is one folder deeper when it is built.
  const [source, built] = ["../../assets/", "../../../assets/"].map((folder) => fileURLToPath(new URL(folder + name, import.meta.url)));
  return readFileSync(existsSync(source!) ? source! : built!);
}
