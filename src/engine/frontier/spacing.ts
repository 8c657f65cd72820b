import type { Clock } from "../../core/clock.ts";
import type { Backlog, TurnReply, TurnRequest } from "../../store/index.ts";

/**
 * A minimum pause between any two requests, whatever their hosts. It is checked before the host's own turn: a claim within the pause is
 * refused without asking the backlog, so it delays no other host, and the pace of each host is unchanged. Several runs may share one.
 */
export class Spacing {
  readonly #pause: number;
  readonly #clock: Pick<Clock, "now">;
  #freeAt = 0;
  #lastHost: string | undefined;

  constructor(pause: number, clock: Pick<Clock, "now">) {
    this.#pause = pause;
    this.#clock = clock;
  }

  over(backlog: Backlog): Backlog {
    if (this.#pause === 0) return backlog;
    return {
      hosts: (limit, inMemory) => backlog.hosts(limit, inMemory),
      load: (wants) => backlog.load(wants),
      release: (host) => backlog.release(host),
      claim: async (requests) => {
        const replies: TurnReply[] = [];
        for (const request of requests) replies.push(await this.#claim(backlog, request));
        return replies;
      },
      giveBack: async (host) => {
        await backlog.giveBack(host);
        if (host === this.#lastHost) this.#freeAt = 0;
      },
    };
  }

  async #claim(backlog: Backlog, request: TurnRequest): Promise<TurnReply> {
    const now = this.#clock.now();
    if (now < this.#freeAt) return { granted: false, wait: this.#freeAt - now };
    // Reserved before the claim is granted, because another run may ask while the backlog checks the host's turn.
    this.#freeAt = now + this.#pause;
    this.#lastHost = request.host;
    const [reply] = await backlog.claim([request]);
    if (reply!.granted) this.#freeAt = this.#clock.now() + this.#pause;
    else this.#freeAt = 0;
    return reply!;
  }
}
