import { SetupError } from "../config/index.ts";

export function wholeNumber(name: string): (text: string) => number {
  return (text) => {
    const isWhole = /^\d+$/.test(text);
    if (isWhole && Number.isSafeInteger(Number(text))) return Number(text);
    throw new SetupError(`${name}: ${text} is ${isWhole ? "too large" : "not a whole number"}`, `${name} 50`);
  };
}
