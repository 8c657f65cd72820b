import { isNoSuchName } from "./failure.ts";
import { FOUND_FOR, LOST_FOR } from "./names.ts";
import { isGloballyRoutable } from "./routable.ts";

/** The addresses of a name as found by another process, and how much longer they are valid. No addresses means that the name has none. */
export interface Hearsay {
  readonly addresses: readonly string[];
  readonly life: number;
}

/**
 * The DNS cache shared with other processes. Entries are separate for each name server, because answers differ. Does not reject if the
 * cache is unavailable.
 */
export interface Others {
  find(name: string, server: string): Promise<Hearsay | undefined>;
  tell(name: string, server: string, hearsay: Hearsay): Promise<void>;
}

/**
 * Only public addresses are shared. A private address depends on the network of the process that asks, and another process must not decide
 * where a name opened here leads. Other entries are ignored, and the name is resolved as usual.
 */
export async function askOthersFirst(
  others: Others,
  { name, server }: { readonly name: string; readonly server: string },
  ask: () => Promise<readonly string[]>,
): Promise<readonly string[] | Hearsay> {
  const heard = await others.find(name, server);
  if (heard?.addresses.every(isGloballyRoutable)) return heard;
  let addresses: readonly string[];
  try {
    addresses = await ask();
  } catch (error) {
    if (isNoSuchName(error)) await others.tell(name, server, { addresses: [], life: LOST_FOR });
    throw error;
  }
  if (addresses.every(isGloballyRoutable)) await others.tell(name, server, { addresses, life: FOUND_FOR });
  return addresses;
}
