import { nearest, SetupError } from "../config/index.ts";

/** `--fields url,title`: the columns wanted, checked against those there are. */
export function pickFields(record: Readonly<Record<string, unknown>>, wanted: string | undefined): Record<string, unknown> {
  if (wanted === undefined) return { ...record };
  const picked: Record<string, unknown> = {};
  for (const name of wanted.split(",").map((word) => word.trim())) {
    if (!Object.hasOwn(record, name)) {
      const near = nearest(name, Object.keys(record));
      throw new SetupError(`there is no field ${name}`, near ? `did you mean ${near}?` : `known: ${Object.keys(record).join(", ")}`);
    }
    picked[name] = record[name];
  }
  return picked;
}

export function wholeNumber(name: string): (text: string) => number {
  return (text) => {
    if (/^\d+$/.test(text)) return Number(text);
    throw new SetupError(`${name}: ${text} is not a whole number`, `${name} 50`);
  };
}
