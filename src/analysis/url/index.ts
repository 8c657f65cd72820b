/**
 * What a URL is, and whether it is in scope. `url` is the form requested from the server, exactly as its author wrote it after WHATWG
 * parsing; `key` is the form compared: spellings that hardly any server distinguishes share a key, but are never requested instead. This
 * module answers three questions with tables and counters, never with the network: is it in scope (`compileScope`), which program made it
 * (`templateOf`), and could there be endlessly many of its kind (`suspect`, `TrapGuard`, `MazeGuard`, `MirrorGuard`)? A trap is recognised
 * by what its pages bring and where they lead, not by their number.
 */
export { registrableDomain } from "./domain.ts";
export { normaliseEscapes } from "./escapes.ts";
export { givenHost, withoutPort } from "./given-host.ts";
export { hash64, PrefixHash } from "./hash.ts";
export type { Step } from "./list-extent.ts";
export { MazeGuard, type MazeMemory } from "./maze-guard.ts";
export { MirrorGuard, type MirrorMemory } from "./mirror-guard.ts";
export type { UrlOptions } from "./options.ts";
export { hostOf, originOf, type Parts, parseHttp, partsOf } from "./parts.ts";
export { compilePatterns, PatternError } from "./pattern.ts";
export { isOwnKey, isPath, isPlain } from "./plain.ts";
export { type KeyOptions, keyOptionsOf } from "./query.ts";
export { isSortedListing, KEY_VERSION, keyOf, type Resolved, resolve } from "./resolve.ts";
export { SamePages, type SamePagesMemory } from "./same-pages.ts";
export { compileScope, type Scope, type ScopeKind, type ScopeOptions, type ScopeVerdict } from "./scope.ts";
export { type KnownSessions, SessionIds, type SessionMemory, sessionEvidence, withoutSessions } from "./session-ids.ts";
export { folderTemplateOf, templateOf } from "./template.ts";
export type { Places } from "./template-history.ts";
export { TrapGuard, type TrapGuardOptions, type TrapMemory } from "./trap-guard.ts";
export { suspect, type TrapSuspicion } from "./trap-suspicion.ts";
