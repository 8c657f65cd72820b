import { migrations } from "../sqlite/schema/schema.ts";

/**
 * The store's statements are written once, in the SQL that SQLite and PostgreSQL share, plus some SQLite syntax with an exact counterpart.
 * This file translates that syntax; SQLite functions that PostgreSQL lacks are created by `functions.ts`.
 */

/** A statement in PostgreSQL's syntax, with the order of its parameters. */
export interface Translated {
  readonly text: string;
  /** For each `$n`: the name or the index (from 0) of its value. */
  readonly values: readonly (string | number)[];
  /** PRAGMA statements are not sent to PostgreSQL. */
  readonly isPragma: boolean;
}

/** Primary key columns of each table, read from the schema. */
const keys = new Map<string, readonly string[]>();
for (const [, table = "", body = ""] of migrations.join("").matchAll(/CREATE TABLE (\w+) \(([\s\S]*?)\)(?: WITHOUT ROWID)?;/g)) {
  const several = /PRIMARY KEY \(([^)]*)\)/.exec(body)?.[1];
  const one = /(\w+) (?:\w+ )+?PRIMARY KEY/.exec(body)?.[1];
  keys.set(table, several?.split(", ") ?? [one ?? "id"]);
}

export function translate(sql: string): Translated {
  const values: (string | number)[] = [];
  if (sql.startsWith("PRAGMA")) return { text: sql, values, isPragma: true };
  const places = new Map<string | number, number>();
  let next = 0;
  const place = (value: string | number): string => {
    const at = places.get(value) ?? values.push(value);
    places.set(value, at);
    return `$${at}`;
  };
  // PostgreSQL cannot infer a type from `IS NULL` alone, so the value is passed a second time, as text.
  const isNullOf = (value: string | number): string => {
    values.push(value);
    return `$${values.length}::text IS NULL`;
  };
  const text = outsideQuotes(words(sql), (part) =>
    part
      .replace(/(?<!:):([a-zA-Z]\w*) IS NULL/g, (_, name: string) => isNullOf(name))
      .replace(/\?(\d+) IS NULL/g, (_, number: string) => isNullOf(Number(number) - 1))
      .replace(/(?<!:):([a-zA-Z]\w*)/g, (_, name: string) => place(name))
      .replace(/\?(\d+)?/g, (_, number?: string) => {
        if (number !== undefined) return place(Number(number) - 1);
        const at = next;
        next += 1;
        return place(at);
      }),
  );
  return { text, values, isPragma: false };
}

/** Transforms only the parts outside string literals. */
function outsideQuotes(sql: string, replace: (part: string) => string): string {
  return sql
    .split(/('(?:[^']|'')*')/)
    .map((part, index) => (index % 2 === 1 ? part : replace(part)))
    .join("");
}

/** SQLite syntax and its PostgreSQL replacement. */
const WORDS: readonly [pattern: RegExp, instead: string | ((whole: string, ...parts: string[]) => string)][] = [
  [/\b(?:NOT INDEXED|INDEXED BY \w+)\b/g, ""],
  [/\btemp\./g, "pg_temp."],
  [/\b0x([0-9a-f]+)\b/gi, (_, digits = "") => String(Number.parseInt(digits, 16))],
  [/\bINTEGER PRIMARY KEY\b/g, "BIGINT PRIMARY KEY"],
  [/\bAS INTEGER\)/g, "AS BIGINT)"],
  [/\bAS REAL\)/g, "AS DOUBLE PRECISION)"],
  [/\bCROSS JOIN (\w+(?: \w+)?) ON\b/g, "JOIN $1 ON"],
  [/([\w.]+(?:\([^()]*\))?) ->> '(\$[^']*)'/g, "json_extract($1, '$2')"],
  [/\bGLOB (\S+?)(?=[\s)]|$)/g, "LIKE like_glob($1)"],
  [/\bLIKE (?!like_glob)/g, "ILIKE "],
  [/\bifnull\(/g, "coalesce("],
  [/\bjson_array\(/g, "jsonb_build_array("],
  [
    /([\w.]+(?: \/ 100)?|\([^()]*\)|link_type\(\([^()]*\), [\w.]+\)|substr\([^()]*(?:\([^()]*\)[^()]*)*\)) (NOT )?IN \(SELECT value FROM json_each\(([^()]*)\)\)/g,
    listed,
  ],
  [/\bIS NOT (?!NULL|DISTINCT)/g, "IS DISTINCT FROM "],
  [/\bIS (?=[a-z:?])(?!DISTINCT)/g, "IS NOT DISTINCT FROM "],
  [/\bcoalesce\((\?\d*|:\w+), (\d+)\)/g, "coalesce($1::bigint, $2)"],
  [/\bLIMIT (\?\d*|:\w+)/g, "LIMIT nullif($1::bigint, -1)"],
  [/\bWHERE 1 /g, "WHERE true "],
  [/\(1 << (min\([^()]*\))\)/g, "power(2, $1)"],
];

function words(sql: string): string {
  const replaced = WORDS.reduce((text, [pattern, instead]) => text.replace(pattern, instead as string), searched(sql));
  return aliased(conflicts(calls(replaced, "group_concat", ([value, separator = "','"]) => `string_agg((${value})::text, ${separator})`)));
}

/** Adds aliases to subqueries in FROM: PostgreSQL requires them before version 16. */
function aliased(sql: string): string {
  const opened: boolean[] = [];
  let text = "";
  let names = 0;
  for (let at = 0; at < sql.length; at++) {
    text += sql[at];
    if (sql[at] === "(") opened.push(/\b(?:FROM|JOIN) \($/.test(text) && /^\s*SELECT\b/.test(sql.slice(at + 1, at + 20)));
    if (
      sql[at] !== ")" ||
      !opened.pop() ||
      !/^\s*(?:$|[),]|(?:WHERE|GROUP|ORDER|LIMIT|ON|JOIN|LEFT|CROSS|UNION)\b)/.test(sql.slice(at + 1, at + 20))
    )
      continue;
    names += 1;
    text += ` AS made_${names}`;
  }
  return text;
}

/** Full-text search has a different syntax. */
function searched(sql: string): string {
  const match = /page_text MATCH (\?\d*|:\w+)/.exec(sql)?.[1];
  if (match === undefined) return sql;
  return sql
    .replace(/page_text MATCH \S+/, `f.words @@ ${match}::tsquery`)
    .replaceAll("f.rank", `(-ts_rank('{0.125, 0.125, 0.125, 1}', f.words, ${match}::tsquery, 1))`);
}

function listed(_: string, left = "", not: string | undefined, list = ""): string {
  const isNumber = /(?:^|[._])id$|^p\.status/.test(left);
  return `${left} ${not === undefined ? "= ANY" : "<> ALL"} (${isNumber ? "numbers" : "texts"}_in(${list}))`;
}

/** Replaces each call of a function; the arguments may be nested expressions. */
function calls(sql: string, name: string, replace: (values: string[]) => string): string {
  const at = sql.indexOf(`${name}(`);
  if (at < 0) return sql;
  const from = at + name.length + 1;
  const values = [""];
  let depth = 1;
  let isQuoted = false;
  let end = from;
  for (; depth > 0 && end < sql.length; end++) {
    const character = sql[end]!;
    if (character === "'") isQuoted = !isQuoted;
    if (!isQuoted && character === "(") depth += 1;
    if (!isQuoted && character === ")") depth -= 1;
    if (depth === 1 && !isQuoted && character === ",") values.push("");
    else if (depth > 0) values[values.length - 1] += character;
  }
  return `${sql.slice(0, at)}${replace(values)}${calls(sql.slice(end), name, replace)}`;
}

function conflicts(sql: string): string {
  if (/ON CONFLICT DO UPDATE/.test(sql)) {
    const into = /INSERT INTO (\w+)/.exec(sql)?.[1] ?? "";
    return sql.replace("ON CONFLICT DO UPDATE", `ON CONFLICT (${(keys.get(into) ?? []).join(", ")}) DO UPDATE`);
  }
  if (/^\s*INSERT INTO decision\b/.test(sql)) return `${sql} RETURNING id`;
  const found = /^\s*INSERT OR (IGNORE|REPLACE) INTO ([\w.]+)(?: \(([^)]*)\))?/.exec(sql);
  if (!found) return sql;
  const [, what, table = "", columns = ""] = found;
  const [body = "", returning] = sql.replace(/INSERT OR \w+ INTO/, "INSERT INTO").split(/ (?=RETURNING )/);
  const names = columns.split(",").map((name) => name.trim());
  const key = keys.get(table) ?? [];
  const rest = names.filter((name) => !key.includes(name));
  const then =
    what === "IGNORE" || rest.length === 0
      ? "ON CONFLICT DO NOTHING"
      : `ON CONFLICT (${key.join(", ")}) DO UPDATE SET ${rest.map((name) => `${name} = excluded.${name}`).join(", ")}`;
  return `${body} ${then}${returning === undefined ? "" : ` ${returning}`}`;
}

/** Translates the tables and indexes of a migration. Views, triggers and the full-text index are written separately for each database. */
export function translateSchema(sql: string): string {
  return sql
    .replace(/\bINTEGER PRIMARY KEY(?! REFERENCES)/g, "BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY")
    .replace(/\bINTEGER\b/g, "BIGINT")
    .replace(/\bBLOB\b/g, "BYTEA")
    .replace(/\bREAL\b/g, "DOUBLE PRECISION")
    .replace(/\bTEXT\b/g, 'TEXT COLLATE "C"')
    .replace(/\bifnull\(/g, "coalesce(")
    .replace(/\) WITHOUT ROWID/g, ")")
    .replace("PRIMARY KEY, value)", 'PRIMARY KEY, value TEXT COLLATE "C")');
}
