/** Option values with a unit: durations, sizes, rates, and limits that can be lifted. Shared by the options of all modules. */
import { z } from "zod";

/** A text transformed by `read`; refused if that returns undefined. */
export const textAs = (read: (text: string) => string | undefined, wanted: string) =>
  z.string(`expected ${wanted}`).transform((text, context) => {
    const value = read(text);
    if (value !== undefined) return value;
    context.addIssue({ code: "custom", message: `expected ${wanted}` });
    return z.NEVER;
  });

const durations: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const sizes: Record<string, number> = { b: 1, kb: 1024, mb: 1024 ** 2, gb: 1024 ** 3, kib: 1024, mib: 1024 ** 2, gib: 1024 ** 3 };

function parseWithUnit(text: string, units: Record<string, number>, defaultUnit: string): number {
  const [, amount, unit] = /^([\d.]+)\s*([a-z]*)$/i.exec(text) ?? [];
  return Math.round(Number(amount) * (units[(unit || defaultUnit).toLowerCase()] ?? Number.NaN));
}

const DAY = 86_400_000;
const CENTURY = 36_525 * DAY;

/** The longest timeout of a Node timer: a longer one would fire at once. */
export const MAX_TIMER_MS = 24 * DAY;

interface Range {
  readonly min?: number;
  readonly max?: number;
}

/** `500ms`, `10s`, `5m`, `2h`, `1d`, or a number of seconds. Becomes milliseconds. */
export const duration = ({ min = 0, max = CENTURY }: Range = {}) =>
  z
    .union(
      [
        z.number().transform((seconds) => Math.round(seconds * 1000)),
        z
          .string()
          .regex(/^\d+(\.\d+)?\s*(ms|s|m|h|d)?$/i)
          .transform((text) => parseWithUnit(text, durations, "s")),
      ],
      "expected a duration such as 500ms, 10s, 5m or 2h, or a number of seconds",
    )
    .refine((time) => time >= min && time <= max, `must be from ${durationText(min)} to ${durationText(max)}`);

/** A duration as written in options, in the largest unit that divides it. */
export function durationText(time: number): string {
  const [unit, size] = Object.entries(durations).findLast(([, length]) => time !== 0 && time % length === 0) ?? ["ms", 1];
  return `${time / size}${unit}`;
}

/** Options that are durations. */
export const TIME_OPTIONS: readonly string[] = ["timeout", "maxTime", "maxWait", "maxCrawlDelay", "llmTimeout"];

/**
 * Writes duration options as text with a unit, as they are stored. A bare number means seconds when a person writes it, but milliseconds
 * in data files of version 9 and older.
 */
export function withTimeUnits(options: Readonly<Record<string, unknown>>, bare: "ms" | "s"): Record<string, unknown> {
  const written = { ...options };
  for (const name of TIME_OPTIONS) {
    const time = options[name];
    if (typeof time === "number" && Number.isFinite(time)) written[name] = durationText(Math.round(time * durations[bare]!));
  }
  return written;
}

/** `500KB`, `10MB`, `1GB`, or a number of bytes. Becomes bytes. */
export const byteSize = ({ min = 0, max = 1024 ** 5 }: Range = {}) =>
  z
    .union(
      [
        z.number().int(),
        z
          .string()
          .regex(/^\d+(\.\d+)?\s*(b|[kmg]i?b)?$/i)
          .transform((text) => parseWithUnit(text, sizes, "b")),
      ],
      "expected a size such as 500KB, 10MB or 1GB, or a number of bytes",
    )
    .refine((bytes) => bytes >= min && bytes <= max, `must be from ${min} to ${max} bytes`);

/** `none` lifts a limit. Becomes Infinity. */
export const orNone = <T extends z.ZodType>(limit: T) => z.union([limit, z.literal("none").transform(() => Number.POSITIVE_INFINITY)]);

/** Slower than this is never meant, and values out of this range cannot be written as a simple rate. */
const MAX_PAUSE_MS = 7 * DAY;
const MIN_PAUSE_MS = 0.001;

/** `2`, `2/s`, `30/m`, `none`. Becomes the pause between two requests in milliseconds. */
export const rate = () =>
  z
    .union(
      [
        z.number().transform((perSecond) => (perSecond > 0 ? 1000 / perSecond : Number.NaN)),
        z.literal("none").transform(() => 0),
        z
          .string()
          .regex(/^\d*\.?\d+(\/(s|m|h))?$/i)
          .transform((text) => {
            const [amount, unit = "s"] = text.toLowerCase().split("/");
            return Number(amount) > 0 && Number.isFinite(Number(amount)) ? durations[unit]! / Number(amount) : Number.NaN;
          }),
      ],
      "expected a rate such as 1/s, 30/m or none, or a number of requests a second",
    )
    .refine((pause) => pause === 0 || (pause >= MIN_PAUSE_MS && pause <= MAX_PAUSE_MS), "must be from 1 a week to 1,000,000/s, or none");
