import type { DomElement, DomGlobal } from "./dom.ts";

/**
 * Starts to scroll through the page and its scrollable boxes, one screen per frame; `look` reports when the end is
 * reached. Returns whether there is anything to scroll. Runs inside the page: must be self-contained.
 */
export function scrollDown(): string {
  const { window: world, nuthatch } = globalThis as unknown as DomGlobal;
  const MAX_SCREENS = 60;
  const MAX_CHECKED_ELEMENTS = 5_000;
  const { document } = world;
  const state = nuthatch ?? { isScrolling: false };
  (globalThis as unknown as DomGlobal).nuthatch = state;

  const boxes: DomElement[] = [];
  const all = document.querySelectorAll("body *");
  for (let at = 0; at < Math.min(all.length, MAX_CHECKED_ELEMENTS) && boxes.length < 5; at += 1) {
    const element = all[at]!;
    if (element.clientHeight < 150 || element.scrollHeight < element.clientHeight + 100) continue;
    const { overflowY } = world.getComputedStyle(element);
    if (overflowY === "auto" || overflowY === "scroll") boxes.push(element);
  }
  const page = document.scrollingElement ?? document.documentElement;
  const isLong = page !== null && page.scrollHeight > world.innerHeight + 50;
  if (!isLong && boxes.length === 0) return "false";

  // Animation frames may not fire if nothing is drawn, so there is a timeout.
  const frame = () =>
    new Promise<void>((resolve) => {
      world.requestAnimationFrame(() => world.setTimeout(resolve, 0));
      world.setTimeout(resolve, 1_000);
    });
  const step = (): boolean => {
    const before = [world.scrollY, ...boxes.map((box) => box.scrollTop)];
    world.scrollTo({ top: world.scrollY + world.innerHeight, behavior: "instant" });
    for (const box of boxes) box.scrollTop += box.clientHeight;
    return [world.scrollY, ...boxes.map((box) => box.scrollTop)].some((top, at) => top > before[at]!);
  };
  const scrollThrough = async () => {
    for (let screen = 0; screen < MAX_SCREENS && step(); screen += 1) await frame();
    // Intersection observers are notified one frame later.
    await frame();
    await frame();
    state.isScrolling = false;
  };
  state.isScrolling = true;
  void scrollThrough();
  return "true";
}

/** Runs inside the page: must be self-contained. */
export function toTop(): string {
  (globalThis as unknown as DomGlobal).window.scrollTo({ top: 0, behavior: "instant" });
  return "";
}

/** Clears what a page could pass on to the next one in the same tab. Runs inside the page: must be self-contained. */
export function forget(): string {
  (globalThis as unknown as DomGlobal).window.name = "";
  return "";
}
