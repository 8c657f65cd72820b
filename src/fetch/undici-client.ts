import { createRequire } from "node:module";
import type { Client } from "undici";

// The one part of undici that is used. Its main entry loads all others as well, which takes 80 ms more at every start.
export const UndiciClient = createRequire(import.meta.url)("undici/lib/dispatcher/client.js") as typeof Client;
