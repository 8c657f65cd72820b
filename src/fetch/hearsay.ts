import { isNoSuchName } from "./failure.ts";
import { FOUND_FOR, LOST_FOR } from "./names.ts";
import { isGloballyRoutable } from "./routable.ts";

/** What another process has found out of a name, and how much longer that counts. Without addresses it says that there are none. */
export interface Hearsay {
  readonly addresses: readonly string[];
  readonly life: number;
}

/** Other processes at work. What one name server says is not what another would, so it is told apart. Never rejects because nobody can be asked. */
export interface Others {
  find(name: string, server: string): Promise<Hearsay | undefined>;
  tell(name: string, server: string, hearsay: Hearsay): Promise<void>;
}

/**
 * Hearsay is of the public web alone. Where a private address leads depends on who asks, and a name that was opened here must not
 * lead where somebody else says. What is passed over is asked for as if nobody had said anything.
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
