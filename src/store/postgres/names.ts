import type { KnownName, NameShelf } from "../names.ts";
import type { Row } from "../sqlite/rows.ts";
import { Columns } from "./columns.ts";
import { isTrouble } from "./errors.ts";
import type { Presence } from "./presence.ts";

const asked = new Columns({ name: "text", server: "text" });
const told = new Columns({ name: "text", server: "text", addresses: "text", life: "bigint" });

const NOW = (parameter: number) => `(SELECT coalesce($${parameter}::bigint, now_ms()) AS now) AS t`;

/** Looked up one by one, however many rows there were when the plan was made. */
const FIND = `SELECT q.name, q.server, n.addresses, n.until - t.now AS life FROM ${asked.table("q")} CROSS JOIN ${NOW(3)}
  CROSS JOIN LATERAL (SELECT * FROM known_name k WHERE k.name = q.name AND k.server = q.server LIMIT 1) AS n WHERE n.until > t.now`;

/** In the order of their names, so that two who tell of the same do not wait for each other in a circle. */
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

/** What is asked for while the thread is busy goes in one statement: each is a wait for all that this process does. */
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

/** Names are found without the others too, so nobody waits here for a database that is away; whoever has something to settle says so. */
function unlessTroubled<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (cause) {
    if (!isTrouble(cause)) throw cause;
    return undefined;
  }
}
