import type { Result, Row } from "./report.ts";

const WIDTH = 800;
const NAMES = 320;
const BAR = 18;
const STEP = 28;
const TOP = 46;
const PANEL_GAP = 30;
const VALUE = 52;
const PANEL = (WIDTH - NAMES - PANEL_GAP) / 2;

const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

/** Bars side by side: how fast (long is good) and how dear (short is good). Ours in colour; readable on light and dark pages. */
export function plotOf({ rows, title }: Pick<Result, "rows" | "title">): string {
  const height = TOP + rows.length * STEP + 12;
  const fast = bars(rows, { x: NAMES, read: (row) => row.pagesPerSecond, label: (value) => Math.round(value).toLocaleString("en") });
  const dear = bars(rows, { x: NAMES + PANEL + PANEL_GAP, read: (row) => row.cpuMs, label: (value) => value.toFixed(2) });
  const names = rows.map((row, index) => `<text x="${NAMES - 10}" y="${lineOf(index)}" text-anchor="end">${escaped(row.name)}</text>`);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img">
<title>${escaped(title)}</title>
<style>
text { font: 13px system-ui, sans-serif; fill: #1f2328 }
.head { font-weight: 600 }
.back { fill: #fff }
.ours { fill: #b4541a }
.other { fill: #8a97a6 }
@media (prefers-color-scheme: dark) { text { fill: #e6edf3 } .back { fill: #0d1117 } .ours { fill: #f0883e } }
</style>
<rect class="back" width="${WIDTH}" height="${height}"/>
<text class="head" x="${NAMES}" y="22">pages per second</text>
<text class="head" x="${NAMES + PANEL + PANEL_GAP}" y="22">CPU ms a page</text>
${[...names, ...fast, ...dear].join("\n")}
</svg>
`;
}

/** Where letters stand so that they are in the middle of their bar. */
const lineOf = (index: number) => TOP + index * STEP + BAR / 2 + 4.5;

interface Panel {
  readonly x: number;
  readonly read: (row: Row) => number;
  readonly label: (value: number) => string;
}

function bars(rows: readonly Row[], { x, read, label }: Panel): string[] {
  const most = Math.max(...rows.map(read));
  return rows.flatMap((row, index) => {
    const length = Math.max(1, (read(row) / most) * (PANEL - VALUE));
    const y = TOP + index * STEP;
    return [
      `<rect class="${row.isOurs ? "ours" : "other"}" x="${x}" y="${y}" width="${length.toFixed(1)}" height="${BAR}" rx="2"/>`,
      `<text x="${(x + length + 6).toFixed(1)}" y="${lineOf(index)}">${label(read(row))}</text>`,
    ];
  });
}
