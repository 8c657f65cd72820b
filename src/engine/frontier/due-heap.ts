/**
 * A binary heap ordered by due time. An item is in it at most once, and may be moved or removed. The times are stored in a separate array:
 * reading them from thousands of hosts takes longer than the sorting.
 */
export class DueHeap<T extends { readonly readyAt: number; heapIndex: number }> {
  readonly #items: T[] = [];
  readonly #moments: number[] = [];

  get size(): number {
    return this.#items.length;
  }

  peek(): T | undefined {
    return this.#items[0];
  }

  /** Inserts an item, or moves it after `readyAt` changed. */
  put(item: T): void {
    let index = item.heapIndex;
    const moment = item.readyAt;
    if (index < 0) {
      index = this.#items.length;
      this.#items.push(item);
      this.#moments.push(moment);
    }
    this.#place(item, moment, index);
  }

  remove(item: T): void {
    const index = item.heapIndex;
    if (index < 0) return;
    item.heapIndex = -1;
    const last = this.#items.pop()!;
    const moment = this.#moments.pop()!;
    if (last !== item) this.#place(last, moment, index);
  }

  /** Places an item, starting from a free slot: up while it is due before its parent, or else down. */
  #place(item: T, moment: number, free: number): void {
    const items = this.#items;
    const moments = this.#moments;
    let index = free;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (moments[parent]! <= moment) break;
      this.#move(parent, index);
      index = parent;
    }
    for (let child = 2 * index + 1; child < items.length; child = 2 * index + 1) {
      if (child + 1 < items.length && moments[child + 1]! < moments[child]!) child += 1;
      if (moments[child]! >= moment) break;
      this.#move(child, index);
      index = child;
    }
    items[index] = item;
    moments[index] = moment;
    item.heapIndex = index;
  }

  #move(from: number, to: number): void {
    const item = this.#items[from]!;
    this.#items[to] = item;
    this.#moments[to] = this.#moments[from]!;
    item.heapIndex = to;
  }
}
