/**
 * Whose turn is it? Candidates wait on disk (the backlog, a port that a store implements). The best of each host wait in
 * memory in front queues by worth; a biased selector takes from the high ones more often and never starves the low.
 * The mapping table leads from a host to its back queue, and a heap holds the hosts by the moment they may next be asked.
 * A host that is not due cannot be taken, so nobody can forget to wait: what a worker gets carries a Turn, and only a
 * Turn can be fetched with. Every wait has a named cause. Memory holds a bounded working set, whatever waits on disk.
 */

export type { Backlog, HostBacklog, KnownPace, Sharing, StoredCandidate, TurnReply, TurnRequest, Want } from "../../store/index.ts";
export { BackQueue, type Queued, queuedOf } from "./back-queue.ts";
export { Frontier } from "./frontier.ts";
export type { Errand, HostQueue, HostWish } from "./host-queue.ts";
export type { FrontierPorts, GateVerdict, Job } from "./job.ts";
export type { FrontierOptions } from "./options.ts";
export type { Answer } from "./politeness.ts";
export { type Factors, levelOf, type PageType, type Place, pageTypeOf, placeOf, type Signals, sunk } from "./prioritise.ts";
export { isWrittenDown, Seen } from "./seen.ts";
export { seededRandom } from "./selector.ts";
export { takeTurn } from "./single-turn.ts";
export { Spacing } from "./spacing.ts";
