/** Access control. On loopback without keys every client may do everything; otherwise the key sets the scope. */
import type { IncomingHttpHeaders } from "node:http";
import { isIP } from "node:net";
import { keyHash } from "../../features/keys/keys.ts";
import { Problem } from "./problem.ts";
import type { Scope } from "./route.ts";

const SCOPE_ORDER: readonly Scope[] = ["read", "write", "admin"];
export const COOKIE = "nuthatch_key";

export interface AccessSetup {
  /** True if no key is required. */
  readonly isOpen: boolean;
  /** The scope of a key, found by the hash of the key; undefined if the key is unknown. */
  readonly find: (hash: string) => Promise<Scope | undefined>;
  readonly now: () => number;
}

/** How long a scope read from the data file is cached. A removed key stops working after this time at the latest. */
const CACHE_MS = 5000;
const MAX_CACHED_KEYS = 1000;

export class Access {
  readonly #setup: AccessSetup;
  readonly #cached = new Map<string, { readonly scope: Scope | undefined; readonly at: number }>();

  constructor(setup: AccessSetup) {
    this.#setup = setup;
  }

  get isOpen(): boolean {
    return this.#setup.isOpen;
  }

  /** The scope of the client; throws a Problem if it does not include `wanted`. */
  async check(headers: IncomingHttpHeaders, wanted: Scope): Promise<Scope> {
    if (this.#setup.isOpen) return "admin";
    const key = keyIn(headers);
    if (key === undefined) throw new Problem("unauthorized", "send a key: Authorization: Bearer nh_… (nuthatch keys create makes one)");
    const scope = await this.#scopeOf(key);
    if (scope === undefined) throw new Problem("unauthorized", "this key is not known here");
    if (SCOPE_ORDER.indexOf(scope) < SCOPE_ORDER.indexOf(wanted))
      throw new Problem("forbidden", `this needs the scope ${wanted}, and the key has ${scope}`);
    return scope;
  }

  /** Identifies the client by the hash of its key; "" if no key is required. */
  clientIdOf(headers: IncomingHttpHeaders): string {
    const key = this.#setup.isOpen ? undefined : keyIn(headers);
    return key === undefined ? "" : keyHash(key);
  }

  /** Keys are compared by their hashes, so response times reveal nothing about a key. */
  async #scopeOf(key: string): Promise<Scope | undefined> {
    const hash = keyHash(key);
    const cached = this.#cached.get(hash);
    if (cached && this.#setup.now() - cached.at < CACHE_MS) return cached.scope;
    const scope = await this.#setup.find(hash);
    if (this.#cached.size >= MAX_CACHED_KEYS) this.#cached.clear();
    this.#cached.set(hash, { scope, at: this.#setup.now() });
    return scope;
  }
}

/** Programs send a header, feed readers HTTP Basic with any user name, the dashboard its cookie. */
function keyIn({ authorization, "x-api-key": apiKey, cookie }: IncomingHttpHeaders): string | undefined {
  const [, scheme = "", credentials = ""] = /^(Bearer|Basic) +(\S+)$/i.exec(authorization ?? "") ?? [];
  if (scheme.toLowerCase() === "bearer") return credentials;
  if (credentials !== "")
    return Buffer.from(credentials, "base64")
      .toString()
      .replace(/^[^:]*:/, "");
  if (typeof apiKey === "string" && apiKey !== "") return apiKey;
  return cookie
    ?.split(";")
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(`${COOKIE}=`))
    ?.slice(COOKIE.length + 1);
}

/** True for loopback addresses, which only this machine can reach. */
export const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."));
