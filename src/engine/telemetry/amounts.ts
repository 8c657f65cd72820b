/** Formats numbers for people. */
const SIZES = ["bytes", "KB", "MB", "GB", "TB"];
const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** `1,812`; hand-written, because the first use of Intl in a process takes longer than many commands. */
export const count = (number: number) => String(Math.round(number)).replace(/\B(?=(\d{3})+$)/g, ",");

/** `1 page`, `38 pages` */
export const plural = (number: number, one: string, many: string) => `${count(number)} ${number === 1 ? one : many}`;

/** `41 MB`, `12.4 MB`; units are multiples of 1,024, as in the options. */
export function size(bytes: number): string {
  let amount = bytes;
  let unit = 0;
  while (tenths(amount) >= 1024 && unit < SIZES.length - 1) {
    amount /= 1024;
    unit += 1;
  }
  if (unit === 0) return plural(amount, "byte", "bytes");
  return `${amount < 100 ? tenths(amount) : count(amount)} ${SIZES[unit]}`;
}

/** `0.4 s`, `26 min 12 s`, `2 h 5 min`: the two largest units. */
export function formatDuration(ms: number): string {
  if (tenths(ms / SECOND_MS) < 10) return `${tenths(ms / SECOND_MS)} s`;
  const seconds = Math.round(ms / SECOND_MS) * SECOND_MS;
  if (seconds < MINUTE_MS) return `${seconds / SECOND_MS} s`;
  if (seconds < HOUR_MS) return parts(seconds, [MINUTE_MS, "min"], [SECOND_MS, "s"]);
  const minutes = Math.round(ms / MINUTE_MS) * MINUTE_MS;
  if (minutes < DAY_MS) return parts(minutes, [HOUR_MS, "h"], [MINUTE_MS, "min"]);
  return parts(Math.round(ms / HOUR_MS) * HOUR_MS, [DAY_MS, "d"], [HOUR_MS, "h"]);
}

/** `00:07:41` */
export function clock(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / SECOND_MS));
  return [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60].map((part) => String(part).padStart(2, "0")).join(":");
}

/** `61%`; 100% only for all, and 0% only for nothing. */
export function percentText(part: number, total: number): string {
  if (part === total || part === 0) return part === 0 ? "0%" : "100%";
  return `${Math.min(99, Math.max(1, Math.round((part / total) * 100)))}%`;
}

/** `1.0/s`, `6.0/min`: the request rate for a delay. */
export const rateText = (delay: number) =>
  delay <= 10 * SECOND_MS ? `${(SECOND_MS / delay).toFixed(1)}/s` : `${(MINUTE_MS / delay).toFixed(1)}/min`;

const tenths = (number: number) => Math.round(Math.max(0, number) * 10) / 10;

function parts(ms: number, [large, largeName]: [number, string], [small, smallName]: [number, string]): string {
  const rest = (ms % large) / small;
  return `${count(Math.floor(ms / large))} ${largeName}${rest > 0 ? ` ${rest} ${smallName}` : ""}`;
}
