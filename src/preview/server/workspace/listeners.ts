/** A list of listeners. */
export class Listeners<Event> {
  readonly #all = new Set<(event: Event) => void>();

  /** @returns Removes the listener. */
  subscribe(listener: (event: Event) => void): () => void {
    this.#all.add(listener);
    return () => this.#all.delete(listener);
  }

  tell(event: Event): void {
    for (const listener of this.#all) listener(event);
  }
}
