import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Whether nobody here holds a data file. The driver lets go of one that was closed when its statements are collected, and SQLite then removes the log. */
export async function isLetGo(db: string): Promise<boolean> {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  for (let tries = 0; tries < 20 && existsSync(`${db}-wal`); tries += 1) {
    collect();
    await sleep(10);
  }
  return !existsSync(`${db}-wal`);
}
