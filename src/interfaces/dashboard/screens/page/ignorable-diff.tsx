/** A difference whose parts can be ignored: select words, or choose a whole block. */
import { useEffect, useRef, useState } from "preact/hooks";
import { textsToIgnore } from "../../ignore-pattern.ts";
import { Diff } from "../../parts/diff.tsx";
import type { PageDiff } from "../../records.ts";
import { IgnoreBar, type IgnoreProps } from "./ignore-bar.tsx";

interface Selected {
  readonly text: string;
  /** Index of its block among the differences. */
  readonly at: number;
  readonly left: number;
  readonly top: number;
}

const WIDTH = 340;
/** Elements of a difference in the inline and the side-by-side view. */
const PLACE_SELECTOR = ".diff-place, .diff-side tbody tr";
const EMPTY_PLACE = { removed: [], added: [] };

export function IgnorableDiff({ diff, ...ignoreProps }: IgnoreProps & { readonly diff: PageDiff }) {
  const box = useRef<HTMLDivElement>(null);
  const [selected, setSelected] = useState<Selected>();
  useEffect(() => {
    const updateSelection = () => setSelected((before) => selectedIn(box.current, before));
    document.addEventListener("selectionchange", updateSelection);
    return () => document.removeEventListener("selectionchange", updateSelection);
  }, []);
  const done = () => {
    setSelected(undefined);
    getSelection()?.removeAllRanges();
    ignoreProps.onDone();
  };
  return (
    <div ref={box} class="ignorable">
      <Diff diff={diff} pageId={ignoreProps.pageId} below={(place) => <PlaceIgnorer {...ignoreProps} texts={textsOf(place)} />} />
      {selected && (
        <div class="floating" data-needs="write" style={{ left: `${selected.left}px`, top: `${selected.top}px` }}>
          <IgnoreBar {...ignoreProps} onDone={done} texts={textsToIgnore(selected.text, diff.text[selected.at] ?? EMPTY_PLACE)} />
        </div>
      )}
    </div>
  );
}

/** The selected text inside `box`, and a position for the buttons below it. Moving the focus to the buttons keeps the selection. */
function selectedIn(box: HTMLElement | null, before: Selected | undefined): Selected | undefined {
  const selection = getSelection();
  if (box?.querySelector(".floating")?.contains(document.activeElement)) return before;
  if (!box || !selection || selection.isCollapsed || selection.rangeCount === 0) return undefined;
  const range = selection.getRangeAt(0);
  const text = selection.toString().replace(/\s+/g, " ").trim();
  const inside = range.commonAncestorContainer;
  if (text === "" || !box.contains(inside)) return undefined;
  const place = (inside instanceof Element ? inside : inside.parentElement)?.closest(PLACE_SELECTOR);
  const [own, whole] = [range.getBoundingClientRect(), box.getBoundingClientRect()];
  const left = Math.max(0, Math.min(own.left - whole.left, whole.width - WIDTH));
  return { text, left, top: own.bottom - whole.top + 4, at: place ? [...box.querySelectorAll(PLACE_SELECTOR)].indexOf(place) : -1 };
}

const textsOf = ({ removed, added }: PageDiff["text"][number]): string[] => {
  const [now, before] = [added[0], removed[0]];
  return [now, before].flatMap((text) => text ?? []);
};

/** Alternative to selecting with a pointer. */
function PlaceIgnorer({ texts, ...ignoreProps }: IgnoreProps & { readonly texts: readonly string[] }) {
  const [isOpen, setOpen] = useState(false);
  if (texts.length === 0) return null;
  if (isOpen) return <IgnoreBar {...ignoreProps} texts={texts} />;
  return (
    <button type="button" class="quiet" data-needs="write" onClick={() => setOpen(true)}>
      Ignore…
    </button>
  );
}
