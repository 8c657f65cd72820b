/** A thread that reads or writes the data file for the API. */
import { parentPort, workerData } from "node:worker_threads";
import { openApp } from "../app.ts";
import { answerCalls } from "./peer.ts";
import { problemOf, work } from "./work.ts";

const port = parentPort!;
const { db, kind } = workerData as { db: string; kind: "reader" | "writer" };
const app = openApp({ db, isReadOnly: kind === "reader" });

answerCalls(
  {
    post: (message) => port.postMessage(message),
    onMessage: (listen) => port.on("message", listen),
    onEnd: () => undefined,
  },
  async (name, input, signal) => work({ app: await app }, name, input, signal),
  problemOf,
);
