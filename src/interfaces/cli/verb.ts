import { nearest, SetupError } from "../../engine/config/index.ts";

/** The verb of a command named after stored objects: `runs show 3`. */
export function pickVerb<const Verb extends string>(command: string, given: string, verbs: readonly Verb[]): Verb {
  const verb = verbs.find((known) => known === given);
  if (verb !== undefined) return verb;
  const near = /^\d+$/.test(given) && verbs.includes("show" as Verb) ? `show ${given}` : nearest(given, verbs);
  throw new SetupError(
    `${command} cannot ${given}`,
    near ? `did you mean nuthatch ${command} ${near}?` : `nuthatch ${command} ${verbs.join(", or ")}`,
  );
}
