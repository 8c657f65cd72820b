import { SetupError } from "../config/index.ts";

export function wholeNumber(name: string): (text: string) => number {
  return (text) => {
    if (/^\d+$/.test(text)) return Number(text);
    throw new SetupError(`${name}: ${text} is not a whole number`, `${name} 50`);
  };
}
