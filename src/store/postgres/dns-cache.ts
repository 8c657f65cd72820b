import type { CachedAddresses, DnsCache } from "../dns-cache.ts";
import type { Row } from "../sqlite/rows.ts";
import { Columns } from "./columns.ts";
import { isDatabaseError } from "./errors.ts";
import type { WorkerSession } from "./worker-session.ts";

const lookups = new Columns({ name: "text", server: "text" });
const entries = new Columns({ name: "text", server: "text", addresses: "text", life: "bigint" });

const NOW = (parameter: number) => `(SELECT coalesce($${parameter}::bigint, now_ms()) AS now) AS t`;

/** Forces lookups one by one, whatever the number of rows when the plan was made. */
const FIND = `SELECT q.name, q.server, n.addresses, n.until - t.now AS life FROM ${lookups.table("q")} CROSS JOIN ${NOW(3)}
  CROSS JOIN LATERAL (SELECT * FROM known_name k WHERE k.name = q.name AND k.server = q.server LIMIT 1) AS n WHERE n.until > t.now`;

/** Ordered by name, so that two processes that write the same names cannot deadlock. */
const SAVE = `INSERT INTO known_name (name, server, addresses, until)
  SELECT q.name, q.server, q.addresses, t.now + q.life FROM ${entries.table("q")} CROSS JOIN ${NOW(5)} ORDER BY q.name, q.server
  ON CONFLICT (name, server) DO UPDATE SET addresses = excluded.addresses, until = excluded.until`;

export function openDnsCache(session: WorkerSession): DnsCache {
  const query = (text: string, values: readonly string[]) =>
    ignoreDatabaseErrors(() => session.query(text, [...values, session.now])) ?? [];
  const find = batched((keys: readonly NameKey[]): readonly (CachedAddresses | undefined)[] => {
    const known = new Map(query(FIND, lookups.values(keys)).map((row) => [keyOf(row), knownFrom(row)]));
    return keys.map((index) => known.get(keyOf(index)));
  });
  const tell = batched((updates: readonly (NameKey & { readonly addresses: string; readonly life: number })[]): readonly undefined[] => {
    const latest = new Map(updates.map((one) => [keyOf(one), one]));
    query(SAVE, entries.values([...latest.values()]));
    return updates.map(() => undefined);
  });
  return {
    find: (name, server) => find({ name, server }),
    tell: (name, server, { addresses, life }) => tell({ name, server, addresses: addresses.join(" "), life }),
  };
}

interface NameKey {
  readonly name: string;
  readonly server: string;
}

const keyOf = ({ name, server }: NameKey | Row): string => `${name} ${server}`;

const knownFrom = ({ addresses, life }: Row): CachedAddresses => ({
  addresses: addresses === "" ? [] : String(addresses).split(" "),
  life: Number(life),
});

/** Batches requests that arrive while the thread is busy into one statement: each statement blocks the whole process. */
function batched<One, Answer>(work: (all: readonly One[]) => readonly Answer[]): (one: One) => Promise<Answer> {
  let all: One[] = [];
  let answers: Promise<readonly Answer[]> | undefined;
  return async (one) => {
    const index = all.push(one) - 1;
    answers ??= new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      const batch = all;
      all = [];
      answers = undefined;
      return work(batch);
    });
    return (await answers)[index] as Answer;
  };
}

/** Names can be resolved without the shared cache, so a database that is away is ignored here; settling will report it. */
function ignoreDatabaseErrors<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (cause) {
    if (!isDatabaseError(cause)) throw cause;
    return undefined;
  }
}
