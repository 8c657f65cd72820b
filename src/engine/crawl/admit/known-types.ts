import type { Hash64 } from "../../../core/records.ts";
import type { Store } from "../../../store/index.ts";
import { readableTypes } from "../../fetch/index.ts";
import { hashText } from "./mention.ts";

const DAY = 86_400_000;
/** A document seldom becomes a page, so a known type is trusted for this long. */
const MAX_TYPE_AGE_MS = 30 * DAY;

const TYPE_RULE = /^(\S+) is not a page(?: \(asked (\d{4}-\d\d-\d\d)\))?$/;

/** URLs that an earlier run fetched and found to be PDFs or other types that are not read, so that they cost no request in each run. */
export class KnownTypes {
  readonly #rules = new Map<string, string>();

  async load(store: Store, siteIds: readonly number[], { types, now }: { types: readonly string[]; now: number }): Promise<void> {
    const readable = readableTypes(types);
    if (readable.has("*/*")) return;
    await store.forEachRefusedType(siteIds, (hash, rule, at) => {
      const [, type = "", day] = TYPE_RULE.exec(rule) ?? [];
      const asked = day === undefined ? at : Date.parse(day);
      if (type === "" || readable.has(type) || now - asked > MAX_TYPE_AGE_MS) return;
      this.#rules.set(hashText(hash), `${type} is not a page (asked ${new Date(asked).toISOString().slice(0, 10)})`);
    });
  }

  /** The rule by which the URL is skipped; undefined if its type is not known. */
  refuse(hash: Hash64): string | undefined {
    return this.#rules.size === 0 ? undefined : this.#rules.get(hashText(hash));
  }
}
