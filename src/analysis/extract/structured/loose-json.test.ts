import { expect, test } from "vitest";
import { parseLoose } from "./loose-json.ts";

test.each<[fact: string, text: string, documents: unknown[]]>([
  ["strict JSON is read as it is", '{"a": [1, "b"]}', [{ a: [1, "b"] }]],
  ["nothing is nothing", "  ", []],
  ["commas before an end are too many", '{"a": [1, 2,], "b": {"c": 3,},}', [{ a: [1, 2], b: { c: 3 } }]],
  ["two commas are one", '{"a": [1,, 2]}', [{ a: [1, 2] }]],
  ["line breaks and tabs may stand in a string", '{"a": "one\ntwo\tthree"}', [{ a: "one\ntwo\tthree" }]],
  ["an escape that is none is its letter", String.raw`{"a": "it\'s \u00e9 \& \uXY"}`, [{ a: "it's é & uXY" }]],
  ["comments around are dropped", '<!-- {"a": 1} -->', [{ a: 1 }]],
  ["CDATA around is dropped", '\n<![CDATA[\n{"a": 1}\n]]>', [{ a: 1 }]],
  ["CDATA hidden in comments is dropped", '//<![CDATA[\n{"a": [1]}\n//]]>', [{ a: [1] }]],
  ["comments of programs are dropped", '/* first */ {"a": 1, // why\n"b": 2}', [{ a: 1, b: 2 }]],
  ["addresses in strings are no comments", '{"a": "http://b.test/<!-- c -->",}', [{ a: "http://b.test/<!-- c -->" }]],
  ["a byte order mark is passed over", '\ufeff{"a": 1}', [{ a: 1 }]],
  ["several documents in a row are several", '{"a": 1}\n{"b": 2};[3]', [{ a: 1 }, { b: 2 }, [3]]],
  ["text that was escaped as a whole is unescaped", "{&quot;a&quot;: &quot;b &amp;amp; c&quot;}", [{ a: "b &amp; c" }]],
  ["objects without a comma between them are two", '{"a": [{"b": 1} {"b": 2}]}', [{ a: [{ b: 1 }, { b: 2 }] }]],
  ["numbers without a comma between them are two", '{"a": [1 2]}', [{ a: [1, 2] }]],
  ["a line without its comma ends there", '{"a": "b"\n"c": "d"}', [{ a: "b", c: "d" }]],
  ["a bare quote within words is a quote", '{"a": "the "good" news", "b": 1}', [{ a: 'the "good" news', b: 1 }]],
  ["a broken one does not take the next with it", '{"a": oops} {"b": 1}', [{ b: 1 }]],
  ["one too many ends is passed over", '{"a": 1}} {"b": 2}', [{ a: 1 }, { b: 2 }]],
  ["what breaks off says nothing", '{"a": 1, "b": {', []],
  ["what is written as a program says nothing", "{a: 'b'}", []],
])("%s", (_fact, text, documents) => {
  expect(parseLoose(text)).toEqual(documents);
});
