import { SetupError } from "../config/index.ts";

export function wholeNumber(name: string, least = 0): (text: string) => number {
  return (text) => {
    const isWhole = /^\d+$/.test(text);
    if (isWhole && Number(text) < least) throw new SetupError(`${name}: ${text} is less than ${least}`, `${name} 50`);
    if (isWhole && Number.isSafeInteger(Number(text))) return Number(text);
    throw new SetupError(`${name}: ${text} is ${isWhole ? "too large" : "not a whole number"}`, `${name} 50`);
  };
}
