import { z } from "zod";
import { SetupError } from "./setup-error.ts";

const REFERENCE = /\benv:([A-Za-z_]\w*)/g;

/** In a config file a secret is the name of an environment variable, so that the file can be shared. */
export const secretText = z.string().regex(/\benv:[A-Za-z_]\w*/, "must not stand in a file: write env:NAME in its place, and set NAME");

export type Environment = Readonly<Record<string, string | undefined>>;

/** Replaces `env:NAME` by the values of the environment. */
export function insertSecrets(key: string, value: unknown, from: string, env: Environment): unknown {
  if (Array.isArray(value)) return value.map((item) => insertSecrets(key, item, from, env));
  if (typeof value === "object" && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, insertSecrets(key, item, from, env)]));
  if (typeof value !== "string") return value;
  return value.replaceAll(REFERENCE, (_, name: string) => {
    const secret = env[name];
    if (secret !== undefined && secret !== "") return secret;
    throw new SetupError(`${name} is not set, and ${key} in ${from} draws from it`, `set it before the command: export ${name}=…`);
  });
}

const LOGIN = /(?<=\/\/)[^/?#\s]*@/g;

/** Whether a URL in the text contains a password in plain text. */
export const hasPlainPassword = (text: string): boolean =>
  [...text.matchAll(LOGIN)].some(([login]) => /:./.test(login.slice(0, -1)) && !secretText.safeParse(login).success);

/** For display: hides user names and passwords in URLs. */
export function withoutLogins(value: unknown): unknown {
  if (typeof value === "string") return value.replaceAll(LOGIN, "(hidden)@");
  if (Array.isArray(value)) return value.map(withoutLogins);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withoutLogins(item)]));
}
