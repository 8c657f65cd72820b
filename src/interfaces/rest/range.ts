/** The byte range a client asks for (RFC 9110 §14.2), a single range only. Undefined: the whole file. "none": not satisfiable. */
export function rangeOf(header: string | undefined, size: number): { readonly first: number; readonly last: number } | "none" | undefined {
  const [, from = "", to = ""] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? "") ?? [];
  if (from === "" && to === "") return undefined;
  if (from === "") return Number(to) === 0 || size === 0 ? "none" : { first: Math.max(0, size - Number(to)), last: size - 1 };
  const [first, last] = [Number(from), to === "" ? size - 1 : Math.min(Number(to), size - 1)];
  if (to !== "" && Number(to) < first) return undefined;
  return first >= size ? "none" : { first, last };
}
