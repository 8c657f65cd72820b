/** A thread that reads or writes the data file for the API. */
import { parentPort, workerData } from "node:worker_threads";
import { openApp } from "../../../engine/app.ts";
import { serveCalls } from "../worker-calls.ts";
import { handleCall, problemOf } from "./handle-call.ts";

const port = parentPort!;
const { db, kind } = workerData as { db: string; kind: "reader" | "writer" };
const app = openApp({ db, isReadOnly: kind === "reader" });

serveCalls(
  {
    post: (message) => port.postMessage(message),
    onMessage: (listen) => port.on("message", listen),
    onEnd: () => undefined,
  },
  async (name, input, signal) => handleCall({ app: await app }, name, input, signal),
  problemOf,
);

port.on("message", async (message: object) => {
  if (!("stop" in message)) return;
  await app.then((opened) => opened.close()).catch(() => undefined);
  process.exit();
});
