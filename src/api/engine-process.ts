/** The process that crawls for the API. */
import { openApp } from "../app.ts";
import { openEngine } from "./open-engine.ts";
import { answerCalls } from "./peer.ts";
import { problemOf, work } from "./work.ts";

process.once("message", (setup) => void begin(setup as { db: string }));

async function begin(setup: { db: string }): Promise<void> {
  const app = await openApp({ db: setup.db });
  let tell: (event: unknown) => void = () => undefined;
  const engine = openEngine(app, { setup, emit: (event) => tell(event) });
  tell = answerCalls(
    {
      post: (message) => void process.send?.(message),
      onMessage: (listen) => process.on("message", listen),
      onEnd: () => undefined,
    },
    (name, input, signal) => work({ app, engine }, name, input, signal),
    problemOf,
  );
  // Whoever started us is gone, or wants us gone: what is in flight is finished, and the rest is taken up by the next.
  const end = async () => {
    await engine.rest();
    await app.close();
    process.exit(0);
  };
  process.once("SIGTERM", () => void end());
  process.once("SIGINT", () => undefined);
  process.once("disconnect", () => void end());
  await engine.carryOn();
}
