import { expect, test } from "vitest";
import { fields } from "../engine/config/config.ts";
import { byteSize, duration, durationText, rate, TIME_OPTIONS, withTimeUnits } from "./units.ts";

test.each<[string, unknown, number | undefined]>([
  ["a number is per second", 4, 250],
  ["a unit", "30/m", 2000],
  ["none is without a pause", "none", 0],
  ["one a day", `${1 / 24}/h`, 86_400_000],
  ["nothing", 0, undefined],
  ["what never comes", 5e-324, undefined],
  ["what cannot be written down plainly", 1e308, undefined],
  ["the same as text", `0.${"0".repeat(20)}1/s`, undefined],
])("a rate: %s", (_, written, pause) => {
  const read = rate().safeParse(written);
  expect(read.data).toBe(pause);
  // A run stores it as text and reads it again when it is resumed.
  if (pause) expect(rate().parse(`${1000 / pause}/s`)).toBeCloseTo(pause);
});

test.each<[string, unknown, number | undefined]>([
  ["a number is seconds", 10, 10_000],
  ["also as text", "10", 10_000],
  ["a part of one", 0.25, 250],
  ["milliseconds", "10ms", 10],
  ["upper case", "10S", 10_000],
  ["days", "2d", 172_800_000],
  ["nothing", 0, 0],
  ["less than nothing", -1, undefined],
  ["another unit", "10y", undefined],
  ["an empty text", "", undefined],
  ["more than a century", 1e12, undefined],
])("a duration: %s", (_, written, time) => {
  expect(duration().safeParse(written).data).toBe(time);
  if (time !== undefined) expect(duration().parse(durationText(time))).toBe(time);
});

test.each<[string, unknown, number | undefined]>([
  ["a number is bytes", 10, 10],
  ["also as text", "10", 10],
  ["with a unit", "10MB", 10_485_760],
  ["half a byte", 0.5, undefined],
  ["a unit of time", "10s", undefined],
])("a size: %s", (_, written, bytes) => {
  expect(byteSize().safeParse(written).data).toBe(bytes);
});

test("options that are durations are known by their names, and stored with a unit", () => {
  const isTime = ({ schema }: (typeof fields)[number]) => schema.safeParse("1500ms").data === 1500;
  expect([...TIME_OPTIONS].sort()).toEqual(
    fields
      .filter(isTime)
      .map(({ key }) => key)
      .sort(),
  );
  const options = { timeout: 10_000, maxTime: "none", maxPages: 7 };
  expect(withTimeUnits(options, "ms")).toEqual({ timeout: "10s", maxTime: "none", maxPages: 7 });
  expect(withTimeUnits({ maxWait: 90 }, "s")).toEqual({ maxWait: "90s" });
});
