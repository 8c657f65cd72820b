// Preloaded into a crawler of which something is to go wrong in the way that HANG names.
import fs from "node:fs/promises";
import { createRequire, syncBuiltinESMExports } from "node:module";
import { isMainThread } from "node:worker_threads";

const net = createRequire(import.meta.url)("node:net");
/** The default of --timeout. */
const TIME_LIMIT = 10_000;
const [what, count = "1"] = (process.env.HANG ?? "").split(" ");

/** Has something else happen instead of what was put off until the next round of the loop, from the so-manieth time on. */
function replace(name, happens) {
  const { setImmediate } = globalThis;
  let times = 0;
  globalThis.setImmediate = (call, ...given) => {
    if (!String(call).includes(name)) return setImmediate(call, ...given);
    times += 1;
    return times > Number(count) ? happens() : setImmediate(call, ...given);
  };
}

const nothing = () => undefined;

const hangs = {
  /** A connection (the so-manieth) that is neither made nor refused, and whose time limits keep no process alive. */
  connection() {
    const { connect } = net;
    const { setTimeout } = globalThis;
    let connections = 0;
    net.connect = (...given) => {
      connections += 1;
      return connections === Number(count) ? new net.Socket() : connect(...given);
    };
    globalThis.setTimeout = (call, delay, ...given) => {
      const timer = setTimeout(call, delay, ...given);
      return delay > TIME_LIMIT - 1000 && delay <= TIME_LIMIT ? timer.unref() : timer;
    };
  },
  /** A file that is never found, nor missed. */
  file() {
    fs.access = () => new Promise(() => undefined);
  },
  reader: () => replace("mayAssign", nothing),
  settler: () => replace("#settleBatch", nothing),
  throw: () => replace("#settleBatch", () => setTimeout(() => nothing().nothing)),
  reject: () => replace("#settleBatch", () => setTimeout(() => Promise.reject(new Error("nobody waits for this")))),
};

if (isMainThread) {
  hangs[what]?.();
  syncBuiltinESMExports();
}
