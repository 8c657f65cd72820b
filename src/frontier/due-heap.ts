/** A binary heap of things by the moment they are due. An item is in it at most once and may be moved or taken out. */
export class DueHeap<T extends { readonly readyAt: number; heapIndex: number }> {
  readonly #items: T[] = [];

  get size(): number {
    return this.#items.length;
  }

  peek(): T | undefined {
    return this.#items[0];
  }

  /** Puts an item in, or to its new place after `readyAt` changed. */
  put(item: T): void {
    if (item.heapIndex < 0) {
      item.heapIndex = this.#items.length;
      this.#items.push(item);
    }
    this.#sinkDown(this.#riseUp(item.heapIndex));
  }

  remove(item: T): void {
    const index = item.heapIndex;
    if (index < 0) return;
    item.heapIndex = -1;
    const last = this.#items.pop()!;
    if (last === item) return;
    this.#items[index] = last;
    last.heapIndex = index;
    this.#sinkDown(this.#riseUp(index));
  }

  #riseUp(from: number): number {
    let index = from;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (this.#items[parent]!.readyAt <= this.#items[index]!.readyAt) break;
      this.#swap(parent, index);
      index = parent;
    }
    return index;
  }

  #sinkDown(from: number): void {
    let index = from;
    for (;;) {
      let least = index;
      const last = Math.min(2 * index + 2, this.#items.length - 1);
      for (let child = 2 * index + 1; child <= last; child++) {
        if (this.#items[child]!.readyAt < this.#items[least]!.readyAt) least = child;
      }
      if (least === index) return;
      this.#swap(least, index);
      index = least;
    }
  }

  #swap(a: number, b: number): void {
    const [left, right] = [this.#items[a]!, this.#items[b]!];
    this.#items[a] = right;
    this.#items[b] = left;
    right.heapIndex = a;
    left.heapIndex = b;
  }
}
