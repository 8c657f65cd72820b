/** Formats numbers for people. */
const SIZES = ["bytes", "KB", "MB", "GB", "TB"];
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** `1,812`; hand-written, because the first use of Intl in a process takes longer than many commands. */
export const count = (number: number) => String(Math.round(number)).replace(/\B(?=(\d{3})+$)/g, ",");

/** `1 page`, `38 pages` */
export const several = (number: number, one: string, many: string) => `${count(number)} ${number === 1 ? one : many}`;

/** `41 MB`, `12.4 MB`; units are multiples of 1,024, as in the options. */
export function size(bytes: number): string {
  let amount = bytes;
  let unit = 0;
  while (tenths(amount) >= 1024 && unit < SIZES.length - 1) {
    amount /= 1024;
    unit += 1;
  }
  if (unit === 0) return several(amount, "byte", "bytes");
  return `${amount < 100 ? tenths(amount) : count(amount)} ${SIZES[unit]}`;
}

/** `0.4 s`, `26 min 12 s`, `2 h 5 min`: the two largest units. */
export function span(ms: number): string {
  if (tenths(ms / SECOND) < 10) return `${tenths(ms / SECOND)} s`;
  const seconds = Math.round(ms / SECOND) * SECOND;
  if (seconds < MINUTE) return `${seconds / SECOND} s`;
  if (seconds < HOUR) return parts(seconds, [MINUTE, "min"], [SECOND, "s"]);
  const minutes = Math.round(ms / MINUTE) * MINUTE;
  if (minutes < DAY) return parts(minutes, [HOUR, "h"], [MINUTE, "min"]);
  return parts(Math.round(ms / HOUR) * HOUR, [DAY, "d"], [HOUR, "h"]);
}

/** `00:07:41` */
export function clock(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / SECOND));
  return [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60].map((part) => String(part).padStart(2, "0")).join(":");
}

/** `61%`; 100% only for all, and 0% only for nothing. */
export function share(part: number, total: number): string {
  if (part === total || part === 0) return part === 0 ? "0%" : "100%";
  return `${Math.min(99, Math.max(1, Math.round((part / total) * 100)))}%`;
}

/** `1.0/s`, `6.0/min`: the request rate for a delay. */
export const pace = (delay: number) => (delay <= 10 * SECOND ? `${(SECOND / delay).toFixed(1)}/s` : `${(MINUTE / delay).toFixed(1)}/min`);

const tenths = (number: number) => Math.round(Math.max(0, number) * 10) / 10;

function parts(ms: number, [large, largeName]: [number, string], [small, smallName]: [number, string]): string {
  const rest = (ms % large) / small;
  return `${count(Math.floor(ms / large))} ${largeName}${rest > 0 ? ` ${rest} ${smallName}` : ""}`;
}
