/** Runs before a page's own scripts, among them: shadow roots that would be closed are open, so that they can be read. It may use nothing from outside itself. */
export function openShadows(): void {
  const { prototype } = (globalThis as unknown as { Element: { prototype: { attachShadow(init: object): unknown } } }).Element;
  const { attachShadow } = prototype;
  const { apply } = Reflect;
  prototype.attachShadow = function (this: unknown, init: object) {
    return apply(attachShadow, this, [{ ...init, mode: "open" }]);
  };
}
