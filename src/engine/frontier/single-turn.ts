import type { Clock } from "../../core/clock.ts";
import type { DelayCause, Turn } from "../../core/records.ts";
import type { Backlog } from "../../store/index.ts";

/**
 * One turn of a host, for a request outside a run: it waits for the host's delay, and the next run waits for it. Release the host through
 * the backlog after the response.
 */
export async function takeTurn(
  backlog: Backlog,
  host: string,
  pace: { delay: number; cause: DelayCause },
  clock: Pick<Clock, "after">,
): Promise<Turn> {
  for (;;) {
    const [reply] = await backlog.claim([{ host, visit: 0, ...pace }]);
    if (reply!.granted) return { host, spent: false };
    const { wait } = reply as { wait: number };
    await new Promise<void>((resolve) => clock.after(wait, resolve));
  }
}
