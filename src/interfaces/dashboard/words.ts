/** Numbers and times formatted for people. */

const plain = new Intl.NumberFormat();
export const count = (value: number): string => plain.format(value);

/** `1 word`, `2 words`, `2 addresses` */
export const plural = (value: number, thing: string): string =>
  `${count(value)} ${thing}${value === 1 ? "" : thing.endsWith("s") ? "es" : "s"}`;

const UNITS = ["B", "KB", "MB", "GB", "TB"];
const tenths = (value: number) => Math.round(value * 10) / 10;

/** `1.6 MB`; units are multiples of 1,024, and rounded as on the command line. */
export function bytes(value: number): string {
  let [amount, unit] = [value, 0];
  for (; tenths(amount) >= 1024 && unit < UNITS.length - 1; unit++) amount /= 1024;
  return `${unit === 0 ? count(amount) : amount < 100 ? tenths(amount) : count(Math.round(amount))} ${UNITS[unit]}`;
}

/** `00:07:41` */
export function clock(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  return [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60].map((part) => String(part).padStart(2, "0")).join(":");
}

/** `0.6 s`, `4 min`: remaining time. */
export function durationText(ms: number): string {
  if (ms < 10_000) return `${(Math.max(0, ms) / 1000).toFixed(1)} s`;
  if (ms < 90_000) return `${Math.round(ms / 1000)} s`;
  return ms < 5_400_000 ? `${Math.round(ms / 60_000)} min` : `${(ms / 3_600_000).toFixed(1)} h`;
}

const relative = new Intl.RelativeTimeFormat(undefined, { numeric: "auto" });
const STEPS: readonly (readonly [unit: Intl.RelativeTimeFormatUnit, ms: number])[] = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
  ["second", 1000],
];

/** `3 hours ago` */
export function ago(at: string, now = Date.now()): string {
  const ms = new Date(at).getTime() - now;
  const [unit, size] = STEPS.find(([, min]) => Math.abs(ms) >= min) ?? STEPS.at(-1)!;
  return relative.format(Math.round(ms / size), unit);
}

/** Name of an unnamed site: host and path, because two sites can share a host. */
export const siteLabel = (url: string): string => {
  try {
    return `${new URL(url).host}${pathOf(url)}`.replace(/\/$/, "");
  } catch {
    return url;
  }
};

/** Path and query: the part in which the URLs of one site differ. */
export const pathOf = (url: string): string => {
  try {
    const { pathname, search } = new URL(url);
    return pathname + search;
  } catch {
    return url;
  }
};
