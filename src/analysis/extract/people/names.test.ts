import { describe, expect, test } from "vitest";
import { looksLikePerson, namesIn } from "./names.ts";

describe("names out of bylines", () => {
  test.each([
    ["by goes", "By Ann Lee", ["Ann Lee"]],
    ["von goes", "Von Anna Meier", ["Anna Meier"]],
    ["de goes where a whole name follows", "de Luis Pérez", ["Luis Pérez"]],
    ["par goes", "Par Jeanne Moreau", ["Jeanne Moreau"]],
    ["a family's own de stays", "de Vries", ["de Vries"]],
    ["a family's own von der stays", "Von der Leyen", ["Von der Leyen"]],
    ["a family's own de la stays", "de la Cruz", ["de la Cruz"]],
    ["by goes before it", "By Ursula von der Leyen", ["Ursula von der Leyen"]],
    ["more than a word before it", "Written by: Ann Lee", ["Ann Lee"]],
    ["a label", "Autor: Jan Novák", ["Jan Novák"]],
    ["a label in Russian", "Автор: Анна Петрова", ["Анна Петрова"]],
    ["two with and", "Ann Lee and Bob Ray", ["Ann Lee", "Bob Ray"]],
    ["two with &", "Ann Lee & Bob Ray", ["Ann Lee", "Bob Ray"]],
    ["two with und", "Anna Meier und Jan Beck", ["Anna Meier", "Jan Beck"]],
    ["two with et", "Anne Roy et Luc Petit", ["Anne Roy", "Luc Petit"]],
    ["two with y", "Ana Ruiz y Luis Gil", ["Ana Ruiz", "Luis Gil"]],
    ["three with commas", "Ann Lee, Bob Ray and Cy Dow", ["Ann Lee", "Bob Ray", "Cy Dow"]],
    ["the family first", "Lee, Ann", ["Ann Lee"]],
    ["initials stay", "J. R. Smith", ["J. R. Smith"]],
    ["a role goes", "Ann Lee, Staff Writer", ["Ann Lee"]],
    ["a degree goes", "Ann Lee, PhD", ["Ann Lee"]],
    ["a role is the author where nobody is named", "Staff Writer", ["Staff Writer"]],
    ["a date goes", "By Ann Lee May 13, 2019", ["Ann Lee"]],
    ["an hour goes", "Ann Lee 10:15 Uhr", ["Ann Lee"]],
    ["the length goes", "Ann Lee · 5 min read", ["Ann Lee"]],
    ["when it was published goes", "Ann Lee Published 2 days ago", ["Ann Lee"]],
    ["twice is once", "Ann Lee, Ann Lee", ["Ann Lee"]],
  ])("%s", (_, text, names) => {
    expect(namesIn(text).names).toEqual(names);
  });

  test.each([
    ["an address", "https://social.example/ann", "an address"],
    ["a handle", "@annlee", "a handle"],
    ["an e-mail address", "ann.lee@a.example", "an e-mail address"],
    ["too short", "A", "1 < 2 characters"],
    ["too long", "a".repeat(101), "101 > 100 characters"],
    ["a picture's", "Photo: Ann Lee", "a photo credit"],
    ["a button", "Follow", "no name"],
    ["digits", "12", "no name"],
  ])("not: %s", (_, text, rejected) => {
    expect(namesIn(text)).toEqual({ names: [], rejected });
  });
});

test.each([
  ["Ann Lee", true],
  ["Ludwig van Beethoven", true],
  ["李 明", true],
  ["Ann", false],
  ["The Daily News Staff", false],
  ["user 1234", false],
  ["how we did it", false],
])("does %s look like a person?", (name, expected) => {
  expect(looksLikePerson(name)).toBe(expected);
});
