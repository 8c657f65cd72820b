// The arithmetic of docs/scale.md, from the figures in docs/scale.json: node scripts/scale.mjs writes it, --check says whether it is written.
import { readFileSync, writeFileSync } from "node:fs";

const page = new URL("../docs/scale.md", import.meta.url);
const { measured, perPage, ledgerRowBytes, urlsHeardPerPage } = JSON.parse(
  readFileSync(new URL("../docs/scale.json", import.meta.url), "utf8"),
);

const CORES = [2, 16, 64];
/** What is planned with: a core that is never more than so busy. */
const SHARE = 0.6;
const DAY = 86_400;
const BILLION = 1e9;

const number = (value) => (value === 0 ? "none" : value >= 100 ? Math.round(value).toLocaleString("en") : value.toPrecision(2));
const bytes = (value) =>
  value === 0
    ? "none"
    : value >= 1e12
      ? `${number(value / 1e12)} TB`
      : value >= 1e9
        ? `${number(value / 1e9)} GB`
        : `${number(value / 1e3)} kB`;
const table = (head, rows) =>
  [head, head.map((_, at) => (at === 0 ? "---" : "--:")), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");

/** Pages a second that so many cores at so many milliseconds a page carry. */
const carried = (cores, ms) => (cores * SHARE * 1000) / ms;
const kinds = Object.entries(perPage);

const cost = table(
  ["a page", "CPU ms of a worker", "CPU ms of PostgreSQL", "bytes in tables and indexes", "bytes of its body"],
  kinds.map(([kind, { options, workerMs, databaseMs, rowBytes, bodyBytes }]) => [
    options === "" ? kind : `${kind} (\`${options}\`)`,
    ...[number(workerMs), number(databaseMs), number(rowBytes), number(bodyBytes)],
  ]),
);

const server = table(
  ["cores of PostgreSQL", ...kinds.flatMap(([kind]) => [`pages a second, ${kind}`, "cores of workers for that"])],
  CORES.map((cores) => [
    String(cores),
    ...kinds.flatMap(([, { workerMs, databaseMs }]) => {
      const rate = carried(cores, databaseMs);
      return [number(rate), number((rate * workerMs) / 1000 / SHARE)];
    }),
  ]),
);

const rest = urlsHeardPerPage - 1;
const billion = table(
  ["a billion pages", ...kinds.map(([kind]) => kind)],
  [
    ["tables and indexes", ...kinds.map(([, { rowBytes }]) => bytes(BILLION * rowBytes))],
    [`URLs heard of and not visited (${rest} a page)`, ...kinds.map(() => bytes(BILLION * rest * ledgerRowBytes))],
    ["bodies", ...kinds.map(([, { bodyBytes }]) => bytes(BILLION * bodyBytes))],
    ["days with 16 cores of PostgreSQL", ...kinds.map(([, { databaseMs }]) => number(BILLION / carried(16, databaseMs) / DAY))],
    ["days with 64", ...kinds.map(([, { databaseMs }]) => number(BILLION / carried(64, databaseMs) / DAY))],
    ["hosts at one page a second, for the latter", ...kinds.map(([, { databaseMs }]) => number(carried(64, databaseMs)))],
  ],
);

const parts = { cost: `${cost}\n\nMeasured ${measured}.`, server, billion };
const before = readFileSync(page, "utf8");
const after = Object.entries(parts).reduce(
  (text, [name, part]) =>
    text.replace(new RegExp(`(<!-- ${name} -->\n)[\\s\\S]*?(<!-- end -->)`), (_, begin, end) => `${begin}\n${part}\n\n${end}`),
  before,
);
if (!process.argv.includes("--check")) writeFileSync(page, after);
else if (after !== before) {
  console.error("docs/scale.md is not what docs/scale.json says: node scripts/scale.mjs writes it");
  process.exitCode = 1;
}
