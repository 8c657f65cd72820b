import { fileURLToPath } from "node:url";

/** One of the programs that are built beside this one, whether they are bundled or not. */
export const program = (bundled: string, built: string): string =>
  fileURLToPath(new URL(import.meta.url.includes("/bundle/") ? `./${bundled}.js` : `./${built}.js`, import.meta.url));
