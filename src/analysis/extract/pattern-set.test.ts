import { expect, test } from "vitest";
import { PatternSet } from "./pattern-set.ts";

const patterns = [
  /nav|menu|pagina/,
  /(?:^|[\s_-])ads?(?:$|[\s_-])|advert/,
  /sign-?(?:up|in)|log-?in/,
  /(?:article|post)[\s_-]*(?:body|text)/,
  /©|\(c\) ?(?:19|20)\d\d|mentions légales/,
  /(?:(?<![a-z])tag|Tag)(?:s|list)?(?![a-z])/,
  /[?&](?:tag|by)=|\/(?:by)[/=]./i,
  /\bcomments?\b|rep(?:ly|lies){1,2}|a+b/,
  /^\d+$|x*/,
  /(?:photo|bild)\b.{0,60}$/,
  /navi|log-?in|(?:re)?post|tags? (?:list|légales)|é{2}|(?:c|k)omment(?:s|ies)?/i,
  /(?:photo|bild)(?:s?|es)[ -]*(?:légales|стр)|стр|x?y?/i,
];
const parts =
  "nav navi menu PAGINA ad ads adverts read head-ad signup sign-in login article post body text © (c) (c)2020 légales mentions tag Tags taglist stage by /by/x ?tag= ?by=a BY comment comments reply replies aaab b 42 x photo bild é repost Ééy Légales kOMMENTIES СТР стр".split(
    " ",
  );

test("A set of patterns answers as each of its patterns would", () => {
  const set = new PatternSet(patterns);
  const texts = ["", ...parts, ...parts.flatMap((a) => parts.flatMap((b) => [`${a} ${b}`, `${a}${b}`, `${a}-${b}`]))];
  for (const text of texts) {
    const expected = patterns.reduce((bits, pattern, at) => bits | (Number(pattern.test(text)) << at), 0);
    expect(set.matching(text), text).toBe(expected);
  }
});

test("The thirty-second pattern has a bit too", () => {
  const many = Array.from({ length: 32 }, (_, at) => new RegExp(`word${String.fromCharCode(97 + (at % 26))}${at}`));
  expect(new PatternSet(many).matching("wordf31") >>> 0).toBe(2 ** 31);
});
