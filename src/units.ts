/** Values people write with a unit: durations, sizes, rates, and limits that can be lifted. Shared by every room's options. */
import { z } from "zod";

const durations: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const sizes: Record<string, number> = { b: 1, kb: 1024, mb: 1024 ** 2, gb: 1024 ** 3, kib: 1024, mib: 1024 ** 2, gib: 1024 ** 3 };

function scaled(text: string, units: Record<string, number>): number {
  const [, amount, unit] = /^([\d.]+)\s*([a-z]+)$/i.exec(text) ?? [];
  return Math.round(Number(amount) * (units[(unit ?? "").toLowerCase()] ?? Number.NaN));
}

/** `500ms`, `10s`, `5m`, `2h`, `1d`, or a number of milliseconds. Becomes milliseconds. */
export const duration = () =>
  z.union([
    z.number().nonnegative(),
    z
      .string()
      .regex(/^\d+(\.\d+)?\s*(ms|s|m|h|d)$/i, "a duration such as 500ms, 10s, 5m or 2h")
      .transform((text) => scaled(text, durations)),
  ]);

/** `500KB`, `10MB`, `1GB`, or a number of bytes. Becomes bytes. */
export const byteSize = () =>
  z.union([
    z.number().int().nonnegative(),
    z
      .string()
      .regex(/^\d+(\.\d+)?\s*(b|[kmg]i?b)$/i, "a size such as 500KB, 10MB or 1GB")
      .transform((text) => scaled(text, sizes)),
  ]);

/** `none` lifts a limit. Becomes Infinity. */
export const orNone = <T extends z.ZodType>(limit: T) => z.union([limit, z.literal("none").transform(() => Number.POSITIVE_INFINITY)]);

/** What is slower never comes, and what is outside has no plain way to be written down. */
const LONGEST_PAUSE = 7 * 86_400_000;
const SHORTEST_PAUSE = 0.001;

/** `2`, `2/s`, `30/m`, `none`. Becomes the pause between two requests in milliseconds. */
export const rate = () =>
  z
    .union([
      z
        .number()
        .positive("a number above 0")
        .transform((perSecond) => 1000 / perSecond),
      z.literal("none").transform(() => 0),
      z
        .string()
        .regex(/^\d*\.?\d+(\/(s|m|h))?$/, "a rate such as 1, 1/s, 30/m or none")
        .refine((text) => Number.parseFloat(text) > 0, "a rate of 0 would never ask anything: none is without a pause")
        .transform((text) => {
          const [amount, unit = "s"] = text.split("/");
          return durations[unit]! / Number(amount);
        }),
    ])
    .refine((pause) => pause === 0 || (pause >= SHORTEST_PAUSE && pause <= LONGEST_PAUSE), "a rate from 1 a week to 1,000,000/s, or none");
