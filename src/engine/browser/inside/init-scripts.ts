/** Runs in the page before its own scripts: opens closed shadow roots, so that they can be read. Must be self-contained. */
export function openShadowRoots(): void {
  const { prototype } = (globalThis as unknown as { Element: { prototype: { attachShadow(init: object): unknown } } }).Element;
  const { attachShadow } = prototype;
  const { apply } = Reflect;
  prototype.attachShadow = function (this: unknown, init: object) {
    return apply(attachShadow, this, [{ ...init, mode: "open" }]);
  };
}

/**
 * Runs in the page before its own scripts, for engines without other means: disables APIs whose requests cannot be
 * intercepted. Must be self-contained.
 */
export function disableSockets(): void {
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
