import type { KnownName, NameShelf } from "../names.ts";
import type { Row } from "../sqlite/rows.ts";
import { Columns } from "./columns.ts";
import { isTrouble } from "./errors.ts";
import type { Presence } from "./presence.ts";

const asked = new Columns({ name: "text", server: "text" });
const told = new Columns({ name: "text", server: "text", addresses: "text", life: "bigint" });

const NOW = (parameter: number) => `(SELECT coalesce($${parameter}::bigint, now_ms()) AS now) AS t`;

/** Forces lookups one by one, whatever the number of rows when the plan was made. */
const FIND = `SELECT q.name, q.server, n.addresses, n.until - t.now AS life FROM ${asked.table("q")} CROSS JOIN ${NOW(3)}
  CROSS JOIN LATERAL (SELECT * FROM known_name k WHERE k.name = q.name AND k.server = q.server LIMIT 1) AS n WHERE n.until > t.now`;

/** Ordered by name, so that two processes that write the same names cannot deadlock. */
const TELL = `INSERT INTO known_name (name, server, addresses, until)
  SELECT q.name, q.server, q.addresses, t.now + q.life FROM ${told.table("q")} CROSS JOIN ${NOW(5)} ORDER BY q.name, q.server
  ON CONFLICT (name, server) DO UPDATE SET addresses = excluded.addresses, until = excluded.until`;

export function openNames(presence: Presence): NameShelf {
  const ask = (text: string, values: readonly string[]) => unlessTroubled(() => presence.ask(text, [...values, presence.now])) ?? [];
  const find = together((places: readonly Place[]): readonly (KnownName | undefined)[] => {
    const known = new Map(ask(FIND, asked.values(places)).map((row) => [keyOf(row), knownFrom(row)]));
    return places.map((place) => known.get(keyOf(place)));
  });
  const tell = together((news: readonly (Place & { readonly addresses: string; readonly life: number })[]): readonly undefined[] => {
    const latest = new Map(news.map((one) => [keyOf(one), one]));
    ask(TELL, told.values([...latest.values()]));
    return news.map(() => undefined);
  });
  return {
    find: (name, server) => find({ name, server }),
    tell: (name, server, { addresses, life }) => tell({ name, server, addresses: addresses.join(" "), life }),
  };
}

interface Place {
  readonly name: string;
  readonly server: string;
}

const keyOf = ({ name, server }: Place | Row): string => `${name} ${server}`;

const knownFrom = ({ addresses, life }: Row): KnownName => ({
  addresses: addresses === "" ? [] : String(addresses).split(" "),
  life: Number(life),
});

/** Batches requests that arrive while the thread is busy into one statement: each statement blocks the whole process. */
function together<One, Answer>(work: (all: readonly One[]) => readonly Answer[]): (one: One) => Promise<Answer> {
  let all: One[] = [];
  let answers: Promise<readonly Answer[]> | undefined;
  return async (one) => {
    const place = all.push(one) - 1;
    answers ??= new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      const batch = all;
      all = [];
      answers = undefined;
      return work(batch);
    });
    return (await answers)[place] as Answer;
  };
}

/** Names can be resolved without the shared cache, so a database that is away is ignored here; settling will report it. */
function unlessTroubled<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (cause) {
    if (!isTrouble(cause)) throw cause;
    return undefined;
  }
}
