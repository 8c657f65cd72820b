import { SetupError } from "../../engine/config/index.ts";

export function wholeNumberParser(name: string, min = 0): (text: string) => number {
  return (text) => {
    const isWhole = /^\d+$/.test(text);
    if (isWhole && Number(text) < min) throw new SetupError(`${name}: ${text} is less than ${min}`, `${name} 50`);
    if (isWhole && Number.isSafeInteger(Number(text))) return Number(text);
    throw new SetupError(`${name}: ${text} is ${isWhole ? "too large" : "not a whole number"}`, `${name} 50`);
  };
}
