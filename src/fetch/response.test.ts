import fc from "fast-check";
import { expect, test } from "vitest";
import { BrokenHttp, MAX_HEAD, ResponseReader } from "./response.ts";

/** What a reader tells of an answer that comes in pieces of so many bytes. */
function read(text: string, { pieces = [text.length], isEnded = false } = {}) {
  const said: unknown[] = [];
  let body = "";
  const reader = new ResponseReader({
    onHead: (status, words, headers) => said.push([status, words, ...headers]),
    onData: (bytes) => {
      body += Buffer.from(bytes).toString("latin1");
      return true;
    },
    onEnd: () => said.push(body),
  });
  const bytes = Buffer.from(text, "latin1");
  let [at, used] = [0, 0];
  for (let turn = 0; at < bytes.length && !reader.isDone; turn++) {
    const piece = bytes.subarray(at, at + pieces[turn % pieces.length]!);
    used += reader.read(piece);
    at += piece.length;
  }
  if (isEnded) reader.end();
  return { said, used, mayKeep: reader.mayKeep, patience: reader.patience, left: text.slice(used) };
}

const answers: [name: string, text: string, said: unknown[], mayKeep: boolean][] = [
  ["a length", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", [[200, "OK", "Content-Length", "5"], "hello"], true],
  ["no words", "HTTP/1.1 404\r\ncontent-length:0\r\n\r\n", [[404, "", "content-length", "0"], ""], true],
  [
    "the same length twice",
    "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2 \r\n\r\nhi",
    [[200, "OK", "Content-Length", "2", "Content-Length", "2 "], "hi"],
    true,
  ],
  ["bare line feeds", "HTTP/1.1 200 OK\nx: y\ncontent-length: 2\n\nhi", [[200, "OK", "x", "y", "content-length", "2"], "hi"], true],
  [
    "a line that goes on",
    "HTTP/1.1 200 OK\r\nx: a\r\n  b\r\ncontent-length: 0\r\n\r\n",
    [[200, "OK", "x", "a b", "content-length", "0"], ""],
    true,
  ],
  [
    "lines that are none",
    "HTTP/1.1 200 OK\r\nnonsense\r\n: x\r\nx : y\r\ncontent-length: 0\r\n\r\n",
    [[200, "OK", "x", "y", "content-length", "0"], ""],
    true,
  ],
  ["empty lines first", "\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\n!", [[200, "OK", "content-length", "1"], "!"], true],
  [
    "heads that announce another",
    "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Hints\r\nlink: x\r\n\r\nHTTP/1.1 204 No\r\n\r\n",
    [[204, "No"], ""],
    true,
  ],
  [
    "no body with 304, whatever its length",
    "HTTP/1.1 304 Same\r\ncontent-length: 10\r\n\r\n",
    [[304, "Same", "content-length", "10"], ""],
    true,
  ],
  [
    "chunks",
    "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5;x=y\r\nhello\r\nA \r\n, chunked!\r\n0\r\nx: y\r\n\r\n",
    [[200, "OK", "transfer-encoding", "chunked"], "hello, chunked!"],
    true,
  ],
  [
    "chunks with bare line feeds",
    "HTTP/1.1 200 OK\ntransfer-encoding: gzip, chunked\n\n2\nhi\n0\n\n",
    [[200, "OK", "transfer-encoding", "gzip, chunked"], "hi"],
    true,
  ],
  [
    "the last one",
    "HTTP/1.1 200 OK\r\nConnection: x, Close\r\ncontent-length: 1\r\n\r\n!",
    [[200, "OK", "Connection", "x, Close", "content-length", "1"], "!"],
    false,
  ],
  ["an old one", "HTTP/1.0 200 OK\r\ncontent-length: 1\r\n\r\n!", [[200, "OK", "content-length", "1"], "!"], false],
  [
    "an old one that stays",
    "HTTP/1.0 200 OK\r\nconnection: Keep-Alive\r\ncontent-length: 1\r\n\r\n!",
    [[200, "OK", "connection", "Keep-Alive", "content-length", "1"], "!"],
    true,
  ],
];

test.each(answers)("%s, however it is cut into pieces", (_, text, said, mayKeep) => {
  expect(read(text)).toMatchObject({ said, mayKeep, used: text.length });
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 }), (pieces) => {
      expect(read(text, { pieces })).toMatchObject({ said, mayKeep });
    }),
    { numRuns: 30 },
  );
});

test("a body that ends with its connection", () => {
  const text = "HTTP/1.1 200 OK\r\n\r\nall of it";
  expect(read(text).said).toEqual([[200, "OK"]]);
  expect(read(text, { pieces: [3], isEnded: true })).toMatchObject({ said: [[200, "OK"], "all of it"], mayKeep: true });
});

test("what follows an answer is not read, and how long the server waits is heard", () => {
  const text = "HTTP/1.1 200 OK\r\nKeep-Alive: max=9, timeout=5\r\ncontent-length: 2\r\n\r\nhiHTTP/1.1 200 OK\r\n\r\nevil";
  expect(read(text)).toMatchObject({ left: "HTTP/1.1 200 OK\r\n\r\nevil", patience: 5 });
});

const chunked = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n";
const long = "x: y\r\n".repeat(MAX_HEAD / 6 + 1);

test.each([
  ["another protocol", "SSH-2.0-OpenSSH_9.6\r\n"],
  ["empty lines without end", "\r\n".repeat(MAX_HEAD)],
  ["a status line with a return in it", `HTTP/1.1 200${" ".repeat(60_000)}\rOK\r\n\r\n`],
  ["a status that is none", "HTTP/1.1 20 OK\r\n\r\n"],
  ["a version nobody asked for", "HTTP/2.0 200 OK\r\n\r\n"],
  ["a zero byte", "HTTP/1.1 200 OK\r\nx: \0\r\n\r\n"],
  ["a switch", "HTTP/1.1 101 Switching\r\nupgrade: x\r\n\r\n"],
  ["two lengths", "HTTP/1.1 200 OK\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\nhello"],
  ["a list of lengths", "HTTP/1.1 200 OK\r\ncontent-length: 5, 5\r\n\r\nhello"],
  ["a length below nought", "HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\n"],
  ["a length beyond all numbers", `HTTP/1.1 200 OK\r\ncontent-length: ${"9".repeat(20)}\r\n\r\n`],
  ["a length and chunks", "HTTP/1.1 200 OK\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n"],
  ["a length and a coding that is none", "HTTP/1.1 200 OK\r\ncontent-length: 5\r\ntransfer-encoding: xchunked\r\n\r\n"],
  ["a size that is no number", `${chunked}zz\r\nhello\r\n`],
  ["a size beyond all numbers", `${chunked}${"f".repeat(20)}\r\n`],
  ["a chunk longer than it said", `${chunked}2\r\nhello\r\n0\r\n\r\n`],
  ["a size line without end", `${chunked}5;${"x".repeat(5000)}`],
  ["a trailer without end", `${chunked}0\r\n${long}`],
  ["a head without end", `HTTP/1.1 200 OK\r\n${long}`],
  ["a head that is too long", `HTTP/1.1 200 OK\r\n${long}\r\n`],
  ["announcements without end", "HTTP/1.1 100 Continue\r\n\r\n".repeat(4000)],
])("%s is no answer", (_, text) => {
  for (const size of [text.length, 1, 1000]) expect(() => read(text, { pieces: [size] })).toThrow(BrokenHttp);
});

test.each([
  ["", "closed without an answer"],
  ["HTTP/1.1 200 OK\r\n", "closed within the headers"],
  ["HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhalf", "body shorter than its Content-Length"],
  [`${chunked}5\r\nhel`, "closed before the last chunk"],
  [`${chunked}5\r\nhello\r\n`, "closed before the last chunk"],
  [`${chunked}0\r\n`, "closed before the last chunk"],
])("%j that ends there is cut short", (text, why) => {
  expect(() => read(text, { isEnded: true })).toThrow(why);
});

test("whatever comes, it is read or refused, and nothing is told after the end", () => {
  const words = [
    "HTTP/1.1 200 OK\r\n",
    "\r\n",
    "\n",
    "content-length: 3\r\n",
    "transfer-encoding: chunked\r\n",
    "5\r\n",
    "0\r\n",
    "hello",
    ":",
    "\0",
    "\xff",
  ];
  const texts = fc
    .array(fc.oneof(fc.constantFrom(...words), fc.string({ maxLength: 5 })), { maxLength: 15 })
    .map((parts) => parts.join(""));
  fc.assert(
    fc.property(texts, fc.integer({ min: 1, max: 40 }), (text, size) => {
      try {
        const { said, used } = read(text, { pieces: [size] });
        expect(used).toBeLessThanOrEqual(text.length);
        expect(said.length).toBeLessThanOrEqual(2);
      } catch (error) {
        expect(error).toBeInstanceOf(BrokenHttp);
      }
    }),
    { numRuns: 500 },
  );
});

test("whoever has heard enough hears no more", () => {
  const said: string[] = [];
  const reader = new ResponseReader({
    onHead: () => {
      said.push("head");
      reader.stop();
    },
    onData: () => Boolean(said.push("data")),
    onEnd: () => said.push("end"),
  });
  reader.read(Buffer.from("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi"));
  expect(said).toEqual(["head"]);
});
