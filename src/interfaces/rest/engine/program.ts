import { fileURLToPath } from "node:url";

/** Path of a program built beside this one, bundled or not. */
export const programPath = (bundled: string, built: string): string =>
  fileURLToPath(new URL(import.meta.url.includes("/bundle/") ? `./${bundled}.js` : `./${built}.js`, import.meta.url));
