import type { NameShelf } from "../names.ts";
import { isTrouble } from "./errors.ts";
import type { Presence } from "./presence.ts";

/** $1 name, $2 server, $3 now. */
const FIND = `SELECT n.addresses, n.until - t.now AS life FROM known_name n CROSS JOIN (SELECT coalesce($3::bigint, now_ms()) AS now) AS t
  WHERE n.name = $1 AND n.server = $2 AND n.until > t.now`;

/** $1 name, $2 server, $3 addresses, $4 life, $5 now. */
const TELL = `INSERT INTO known_name (name, server, addresses, until) VALUES ($1, $2, $3, coalesce($5::bigint, now_ms()) + $4)
  ON CONFLICT (name, server) DO UPDATE SET addresses = excluded.addresses, until = excluded.until`;

export function openNames(presence: Presence): NameShelf {
  return {
    find: async (name, server) => {
      const [row] = unlessTroubled(() => presence.ask(FIND, [name, server, presence.now])) ?? [];
      return row && { addresses: row.addresses === "" ? [] : String(row.addresses).split(" "), life: Number(row.life) };
    },
    tell: async (name, server, { addresses, life }) => {
      unlessTroubled(() => presence.ask(TELL, [name, server, addresses.join(" "), life, presence.now]));
    },
  };
}

/** Names are found without the others too, so nobody waits here for a database that is away; whoever has something to settle says so. */
function unlessTroubled<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (cause) {
    if (!isTrouble(cause)) throw cause;
    return undefined;
  }
}
