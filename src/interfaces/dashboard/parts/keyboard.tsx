/** Keyboard shortcuts and their list. */
import { navigate } from "../router.tsx";
import { Facts } from "./facts.tsx";

export const SHORTCUTS: readonly (readonly [key: string, does: string])[] = [
  ["/ or Ctrl K", "to the search"],
  ["j, k", "down and up in a table, next and previous change"],
  ["Enter", "opens a row"],
  ["[, ]", "the change before, and the next"],
  ["?", "this list"],
];

const HELP_ID = "keyboard-help";
/** Time for the screen with the search field to load. */
const SEARCH_TIMEOUT_MS = 5000;

export const isTyping = ({ target }: Event): boolean => (target as Element).closest("input, textarea, select, dialog") !== null;

const isSearch = ({ key, ctrlKey, metaKey }: KeyboardEvent) =>
  (key === "k" && (ctrlKey || metaKey)) || (key === "/" && !ctrlKey && !metaKey);

export function listenForKeys(): () => void {
  const listen = (event: KeyboardEvent) => {
    const isChord = event.ctrlKey || event.metaKey;
    const dialog = (event.target as Element).closest("dialog");
    // The shortcuts also work in the help dialog, which has no form, and while Escape closes it.
    const isIgnored = dialog ? dialog.id !== HELP_ID : isTyping(event) && !isChord;
    if (event.altKey || isIgnored) return;
    if (isSearch(event)) {
      event.preventDefault();
      dialog?.close();
      search();
    } else if (event.key === "?" && !isChord && !dialog) document.querySelector<HTMLDialogElement>(`#${HELP_ID}`)?.showModal();
  };
  addEventListener("keydown", listen);
  return () => removeEventListener("keydown", listen);
}

/** Focuses the search field of this screen, or opens the pages screen and focuses the one there. */
function search(): void {
  if (focusSearch()) return;
  const site = new URLSearchParams(location.search).get("siteId");
  navigate(site === null ? "/pages" : `/pages?siteId=${encodeURIComponent(site)}`);
  const watch = new MutationObserver(() => focusSearch() && watch.disconnect());
  watch.observe(document.body, { childList: true, subtree: true });
  setTimeout(() => watch.disconnect(), SEARCH_TIMEOUT_MS);
}

function focusSearch(): boolean {
  const field = document.querySelector<HTMLInputElement>("main input[type=search]");
  field?.focus();
  return field !== null;
}

export const KeyboardHelp = () => (
  <dialog id={HELP_ID} aria-label="Keyboard shortcuts">
    <h2>Keyboard shortcuts</h2>
    <Facts facts={SHORTCUTS} />
    <form method="dialog">
      <button type="submit">Close</button>
    </form>
  </dialog>
);
