import { z } from "zod";
import type { Field } from "./config.ts";
import { SetupError } from "./setup-error.ts";

const REFERENCE = /\benv:([A-Za-z_]\w*)/g;

/** How a secret stands in a config file: by the name of a variable, so that the file can be shown to others. */
export const secretText = z.string().regex(/\benv:[A-Za-z_]\w*/, "must not stand in a file: write env:NAME in its place, and set NAME");

export type Environment = Readonly<Record<string, string | undefined>>;

/** Puts the environment's values in the place of their names. */
export function drawSecrets(field: Field, value: unknown, from: string, env: Environment): unknown {
  if (Array.isArray(value)) return value.map((item) => drawSecrets(field, item, from, env));
  if (typeof value !== "string") return value;
  return value.replaceAll(REFERENCE, (_, name: string) => {
    const drawn = env[name];
    if (drawn !== undefined && drawn !== "") return drawn;
    throw new SetupError(`${name} is not set, and ${field.key} in ${from} draws from it`, `set it before the command: export ${name}=…`);
  });
}
