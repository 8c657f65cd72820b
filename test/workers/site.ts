import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";

/** Host, path, and the site's own monotonic milliseconds. */
export type Asked = readonly [host: string, path: string, at: number];

export interface ManyHosts {
  readonly seeds: readonly string[];
  readonly pages: readonly string[];
  /** All that a whole crawl asks for, robots.txt aside. */
  readonly urls: readonly string[];
  readonly port: number;
  /** Every request since the site began, or was told to forget. */
  log(): Promise<readonly Asked[]>;
  count(): Promise<number>;
  forget(): Promise<void>;
  close(): void;
}

const program = fileURLToPath(new URL("./site.mjs", import.meta.url));

export async function startManyHosts(given: { hosts: number; pages: number; latency?: number }): Promise<ManyHosts> {
  const child = fork(program, [given.hosts, given.pages, given.latency ?? 0].map(String), { serialization: "advanced" });
  const answer = <T>() =>
    new Promise<T>((resolve, reject) => {
      const failed = (code: number | null) => reject(new Error(`the site ended with ${code}`));
      child.once("exit", failed);
      child.once("message", (told) => {
        child.off("exit", failed);
        resolve(told as T);
      });
    });
  const told = await answer<Pick<ManyHosts, "port" | "pages" | "urls">>();
  // One question at a time, so that each gets its own answer.
  let last: Promise<unknown> = Promise.resolve();
  const ask = <T>(what: string): Promise<T> => {
    const heard = last.then(() => {
      const answered = answer<T>();
      child.send(what);
      return answered;
    });
    last = heard.catch(() => undefined);
    return heard;
  };
  return {
    ...told,
    seeds: told.pages.filter((url) => new URL(url).pathname === "/"),
    log: () => ask("log"),
    count: () => ask("count"),
    forget: async () => void (await ask("forget")),
    close: () => child.disconnect(),
  };
}
