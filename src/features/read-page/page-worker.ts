import { parentPort } from "node:worker_threads";
import type { PageJob } from "./page-reader.ts";
import { answerTo } from "./page-tasks.ts";

/** Entry point of the threads that read pages for commands and routes. */
const port = parentPort!;
port.on("message", async (job: PageJob) => port.postMessage(await answerTo(job)));
