/** Runs before a page's own scripts, among them: shadow roots that would be closed are open, so that they can be read. It may use nothing from outside itself. */
export function openShadows(): void {
  const { prototype } = (globalThis as unknown as { Element: { prototype: { attachShadow(init: object): unknown } } }).Element;
  const { attachShadow } = prototype;
  const { apply } = Reflect;
  prototype.attachShadow = function (this: unknown, init: object) {
    return apply(attachShadow, this, [{ ...init, mode: "open" }]);
  };
}

/** Runs before a page's own scripts, where they are not closed by other means: what has requests of its own, which nobody could judge. */
export function closeSockets(): void {
  const world = globalThis as unknown as Record<string, unknown> & { DOMException: new (message: string, name: string) => Error };
  const { DOMException } = world;
  for (const name of ["WebSocket", "Worker", "SharedWorker"]) {
    world[name] = class {
      constructor() {
        throw new DOMException("The operation is insecure.", "SecurityError");
      }
    };
  }
}
