import { createRequire } from "node:module";
import type { Client } from "undici";

// Only this part of undici is used. Its main entry loads everything, which takes 80 ms more at every start.
export const UndiciClient = createRequire(import.meta.url)("undici/lib/dispatcher/client.js") as typeof Client;
