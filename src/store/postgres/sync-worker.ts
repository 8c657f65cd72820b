/** The other end of `sync-database.ts`: asks PostgreSQL and writes the answer where the other thread waits for it. */
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import pg from "pg";

interface Question {
  readonly text: string;
  readonly values: readonly unknown[];
  readonly name?: string;
}

const { url, signal, answers } = workerData as { url: string; signal: Int32Array; answers: MessagePort };
const toNumber = (text: string) => Number(text);
pg.types.setTypeParser(20, toNumber);
pg.types.setTypeParser(1700, toNumber);
pg.types.setTypeParser(16, (text) => (text === "t" ? 1 : 0));
pg.types.setTypeParser(114, (text) => text);
pg.types.setTypeParser(3802, (text) => text);

const client = new pg.Client({ connectionString: url, application_name: "nuthatch" });
const ready = client.connect();

parentPort!.on("message", async (question: Question | "close") => {
  try {
    await ready;
    if (question === "close") {
      await client.end();
      answer({ rows: [], changes: 0 });
      parentPort!.close();
      return;
    }
    const result = await client.query({ text: question.text, values: [...question.values], ...(question.name && { name: question.name }) });
    const last = Array.isArray(result) ? result.at(-1)! : result;
    answer({ rows: last?.rows ?? [], changes: last?.rowCount ?? 0 });
  } catch (cause) {
    const { message, code, position } = cause as Error & { code?: string; position?: string };
    answer({ error: message, code, position });
  }
});

function answer(message: unknown): void {
  answers.postMessage(message);
  Atomics.store(signal, 0, 1);
  Atomics.notify(signal, 0);
}
