import { existsSync, readFileSync } from "node:fs";

/** The only file of this module that reads from disk, and only assets that are shipped with the program. */
export function readAsset(name: string): Buffer {
  // Seen from the bundle, the source and the build.
  const places = ["../../assets/", "../../../assets/", "../../../../assets/"].map((folder) => new URL(folder + name, import.meta.url));
  return readFileSync(places.find((place) => existsSync(place)) ?? places[0]!);
}
