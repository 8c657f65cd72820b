// Makes docs/recording.svg: a short session in a real terminal, recorded and drawn as an animation that needs no script.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { createJiti } from "jiti";
import { serveSite } from "../dist/test/site/index.js";

const { Terminal } = await createJiti(import.meta.url).import("../test/terminal.ts");
const bin = fileURLToPath(new URL("../dist/bundle/nuthatch.js", import.meta.url));
const out = fileURLToPath(new URL("../docs/recording.svg", import.meta.url));
const [COLUMNS, ROWS] = [94, 20];

/** A small town on this machine. A week later one page is new, one has changed and one has gone. */
function town(week) {
  const names = [
    "council",
    "budget",
    "minutes",
    "library",
    "parks",
    "roads",
    "schools",
    "tourism",
    ...(week === 1 ? ["fair"] : ["elections"]),
  ];
  const nav = `<nav>${[...names, "admin/"].map((name) => `<a href="/${name}">${name}</a>`).join(" ")}</nav>`;
  const page = (heading, text, more = '<a href="/">home</a>') => ({
    body: `<!doctype html><title>${heading}</title>${more}<main><h1>${heading}</h1><p>${text}</p></main>`,
    etag: true,
  });
  const title = (name) => name[0].toUpperCase() + name.slice(1);
  const pages = names.map((name) => [
    `/${name}`,
    page(`${title(name)} of Sittaford`, `All about the ${name} of our town.${name === "budget" ? ` Draft ${week}.` : ""}`),
  ]);
  return {
    "/robots.txt": { body: "User-agent: *\nDisallow: /admin/\n", headers: { "Content-Type": "text/plain" } },
    "/": page("Town of Sittaford", "Welcome.", nav),
    ...Object.fromEntries(pages),
  };
}

const frames = [];
const terminal = new Terminal(COLUMNS, ROWS);
let now = 0;
const shoot = () => frames.push({ at: now, runs: terminal.runs() });

/** Shows somebody typing; a remark is greyed. */
function type(line, style = "") {
  terminal.feed(style ? `\x1b[2m${line}\x1b[22m` : "\x1b[32m$\x1b[39m ");
  if (!style) {
    for (const part of line.match(/.{1,6}/g)) {
      terminal.feed(part);
      now += 110;
      shoot();
    }
  }
  terminal.feed("\r\n");
  now += 250;
  shoot();
}

/** Runs a command on a pseudo-terminal of our size and keeps each frame with its moment. */
async function record(args, cwd, pause) {
  type(["nuthatch", ...args].join(" "));
  const quoted = [process.execPath, bin, ...args].map((arg) => `'${arg}'`).join(" ");
  const command = `stty cols ${COLUMNS} rows ${ROWS} && exec ${quoted}`;
  const { NO_COLOR: _, CI: __, ...env } = process.env;
  const child = spawn("script", ["-qec", command, "/dev/null"], { cwd, env: { ...env, TERM: "xterm" } });
  const began = performance.now();
  const start = now;
  child.stdout.setEncoding("utf8").on("data", (text) => {
    terminal.feed(text);
    now = start + performance.now() - began;
    shoot();
  });
  const code = await new Promise((resolve) => child.on("close", resolve));
  if (code !== 0) throw new Error(`nuthatch ${args.join(" ")} ended with ${code}`);
  now += pause;
}

const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
const [CELL, LINE, PAD, BAR] = [8.4, 19, 18, 34];
const [WIDTH, HEIGHT] = [Math.ceil(COLUMNS * CELL) + 2 * PAD, ROWS * LINE + BAR + 2 * PAD];

/** Blanks are not drawn: what stands between them has its place, so no renderer can lose them. */
const pieces = ({ text, style, column, width }) =>
  [...text.matchAll(/\S+(?: \S+)*/g)].map(({ 0: words, index }) => ({
    words,
    style,
    column: column + index,
    // A run with wide characters is wider than its letters: it is drawn whole.
    width: width === text.length ? words.length : width,
  }));

const textOf = ({ words, style, column, width }) =>
  `<text x="${(column * CELL).toFixed(1)}"${style ? ` class="${style}"` : ""} textLength="${(width * CELL).toFixed(1)}">${escaped(words)}</text>`;

/** Each distinct line once; a frame refers to its lines; frames stand side by side behind a window that moves from one to the next. */
function draw(shots, total) {
  const lines = new Map();
  const lineId = (runs) => {
    const text = runs.flatMap(pieces).map(textOf).join("");
    if (text === "") return undefined;
    if (!lines.has(text)) lines.set(text, `l${lines.size}`);
    return lines.get(text);
  };
  const groups = shots.map(({ runs }, index) => {
    const uses = runs.map((line, row) => [lineId(line), row]).filter(([id]) => id !== undefined);
    return `<g transform="translate(${index * WIDTH})">${uses.map(([id, row]) => `<use href="#${id}" y="${(row + 1) * LINE}"/>`).join("")}</g>`;
  });
  const steps = shots.map(({ at }, index) => `${((at / total) * 100).toFixed(2)}%{transform:translateX(${-index * WIDTH}px)}`);
  const last = `transform:translateX(${-(shots.length - 1) * WIDTH}px)`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" role="img" aria-label="A terminal: nuthatch crawls a small site, crawls it again a week later, lists what changed, and explains why a page was left out">
<style>
text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:#d8dee9}
.bold{font-weight:700;fill:#fff}.dim{fill:#8893a5}.red{fill:#f28b82}.green{fill:#9ece6a}.yellow{fill:#e5c07b}
.strip{animation:play ${(total / 1000).toFixed(1)}s step-end infinite}
@keyframes play{${steps.join("")}}
@media (prefers-reduced-motion:reduce){.strip{animation:none;${last}}}
</style>
<defs>${[...lines].map(([text, id]) => `<g id="${id}">${text}</g>`).join("")}<clipPath id="window"><rect width="${WIDTH - 2 * PAD + 4}" height="${ROWS * LINE + 8}"/></clipPath></defs>
<rect width="${WIDTH}" height="${HEIGHT}" rx="10" fill="#1b1f2a"/>
<circle cx="22" cy="18" r="6" fill="#f28b82"/><circle cx="42" cy="18" r="6" fill="#e5c07b"/><circle cx="62" cy="18" r="6" fill="#9ece6a"/>
<g transform="translate(${PAD} ${BAR})" clip-path="url(#window)"><g class="strip">
${groups.join("\n")}
</g></g>
</svg>
`;
}

/** What follows too quickly on the one before is passed over, and so is what looks the same. */
function calm(shots) {
  const kept = [];
  for (const [index, shot] of shots.entries()) {
    const next = shots[index + 1];
    const isPassing = next && next.at - shot.at < 60;
    if (!isPassing && JSON.stringify(kept.at(-1)?.runs) !== JSON.stringify(shot.runs)) kept.push(shot);
  }
  return kept;
}

let week = 1;
const site = await serveSite(({ path }) => town(week)[path], { address: "127.0.0.1", port: 8000 });
const folder = mkdtempSync(join(tmpdir(), "nuthatch-record-"));
try {
  const url = "http://localhost:8000";
  await record(["crawl", url, "--rate-limit", "4/s"], folder, 2500);
  week = 2;
  await sleep(300);
  type("# a week later", "dim");
  await record(["crawl", url, "--rate-limit", "4/s"], folder, 2500);
  await record(["pages", "--change", "new,changed,gone", "--fields", "change,status,title,url"], folder, 2500);
  await record(["explain", `${url}/admin/`], folder, 4000);
  const svg = draw(calm(frames), now);
  writeFileSync(out, svg);
  console.log(`docs/recording.svg: ${(now / 1000).toFixed(0)} s, ${(svg.length / 1024).toFixed(0)} KB`);
} finally {
  await site.close();
  rmSync(folder, { recursive: true, force: true });
}
