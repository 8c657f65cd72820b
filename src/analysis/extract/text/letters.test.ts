import { expect, test } from "vitest";
import { countLetters } from "./letters.ts";

test.each([
  ["nothing has no words", "", 0],
  ["words are parted by spaces and marks", "Up, down - and round: it's a bird’s way", 8],
  ["letters beyond ASCII are letters", "Über die Bäume, où l’été", 5],
  ["figures are words", "In 1998 there were 12.5", 6],
  ["Chinese has a word for about every second letter", "五子雀在树上走", 4],
  ["Japanese too, whatever the script", "ゴジュウカラは木を降りる。", 6],
  ["Thai too", "นกเดินลง", 4],
  ["Korean is parted by spaces", "나무를 내려가는 새", 3],
  ["mixed text counts both", "Vogel 鳥類 bird", 3],
])("%s", (_, text, words) => {
  expect(countLetters([text])[0]!.words).toBe(words);
});

test("Texts that are read together are read as each alone", () => {
  const texts = ["It's 5", "", "o'clock, 五子", "雀!", "A"];
  expect(countLetters(texts)).toEqual(texts.map((text) => countLetters([text])[0]));
});
