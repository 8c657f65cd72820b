import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { deflateSync } from "node:zlib";
import { expect, test } from "vitest";
import { pdfMarkdown } from "../dist/src/features/read-page/pdf-text.js";
import { aPdf, pdfOf } from "./a-pdf.ts";

const dist = (name: string) => new URL(`../dist/src/features/read-page/${name}`, import.meta.url).href;

/** A thread that does this instead of opening a PDF. */
const worker = (code: string) =>
  new URL(
    `data:text/javascript,${encodeURIComponent(`import { parentPort } from "node:worker_threads"; parentPort.on("message", () => { ${code} });`)}`,
  );

test.each([
  ["takes too long", worker("for (;;);"), { patience: 300 }, "a PDF that took longer than 0.3 s to read"],
  ["breaks its reader", worker('throw new Error("too odd")'), {}, "a PDF that cannot be read: too odd"],
  ["ends its reader", worker("process.exit(3)"), {}, "a PDF that ended its reader"],
  [
    "fills memory outside of the heap",
    worker("const held = []; for (;;) held.push(new Uint8Array(1e6).fill(1));"),
    { memory: 200 },
    "a PDF too large to open: it takes more than 200 MB of memory",
  ],
  [
    "has more text than anybody reads",
    worker('parentPort.postMessage({ markdown: "a".repeat(9e6), title: "" })'),
    {},
    "a PDF too large to open: its text is longer than 8 MB",
  ],
  [
    "asks the network",
    worker(
      `import("${dist("no-network.js")}").then(({ closeNetwork }) => { closeNetwork(); fetch("http://127.0.0.1:58391/").catch(({ cause }) => { throw cause; }); })`,
    ),
    {},
    "a PDF that cannot be read: there is no network here",
  ],
] as [string, URL, object, unknown][])("a document that %s is told as it is", async (_, workerUrl, limits, trouble) => {
  expect(await pdfMarkdown(new Uint8Array(1), { workerUrl, ...limits })).toEqual({ trouble });
});

test("a document that unfolds to all of the memory ends within the limit, and the next is read", async () => {
  // Two kilobytes that hold 400 MB of spaces.
  const once = deflateSync(Buffer.alloc(400 * 1024 * 1024, " "));
  const bomb = pdfOf(deflateSync(once), "/Filter [/FlateDecode /FlateDecode]");
  expect(bomb.length).toBeLessThan(5000);
  let most = 0;
  const timer = setInterval(() => {
    most = Math.max(most, ...children(process.pid).map(memoryOf));
  }, 10);
  const answer = await pdfMarkdown(bomb, {
    memory: 250,
    patience: 60_000,
    workerUrl: new URL(dist("pdf-worker.js")),
  });
  clearInterval(timer);
  expect(answer).toEqual({ trouble: "a PDF too large to open: it takes more than 250 MB of memory" });
  if (process.platform === "linux") expect(most, "megabytes of the process that opened it").toBeLessThan(350);
  expect(await pdfMarkdown(aPdf(["Hoist the blue flag."]))).toEqual({ markdown: "Hoist the blue flag.\n", title: "" });
});

test.runIf(process.platform === "linux")("a process that is at work ends with the program that started it", async () => {
  const code = `
    import { pdfMarkdown } from ${JSON.stringify(dist("pdf-text.js"))};
    const workerUrl = new URL(${JSON.stringify(worker("parentPort.postMessage({ trouble: 'begun' }); for (;;);").href)});
    console.log((await pdfMarkdown(new Uint8Array(1), { workerUrl })).trouble);
    setInterval(() => undefined, 1000);
  `;
  const program = spawn(process.execPath, ["--input-type=module", "--eval", code], { stdio: ["ignore", "pipe", "inherit"] });
  await new Promise((resolve) => program.stdout.once("data", resolve));
  const [child] = children(program.pid!);
  expect(child).toBeDefined();
  program.kill("SIGKILL");
  for (let waits = 0; memoryOf(child!) > 0 && waits < 200; waits++) await pause(50);
  expect(memoryOf(child!)).toBe(0);
});

/** Processes that this one has started. */
function children(pid: number): number[] {
  try {
    const threads = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8");
    return threads.split(" ").filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

/** Megabytes; nothing of one that has ended. */
function memoryOf(pid: number): number {
  try {
    return (Number(readFileSync(`/proc/${pid}/statm`, "utf8").split(" ")[1]) * 4096) / 1e6;
  } catch {
    return 0;
  }
}
