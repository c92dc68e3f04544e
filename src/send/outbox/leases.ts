import { randomUUID } from "node:crypto";
import type { Clock } from "../clock.js";
import type { Lease, OutboxStore } from "./store.js";

/** Heartbeats during a lease: one or two of them may fail. */
const HEARTBEATS = 4;

/** The leases of a process on its messages, renewed while it is alive. */
export class Leases {
  readonly #store;
  readonly #clock;
  readonly #ms;
  readonly #held = new Set<string>();
  #cancel: (() => void) | undefined;

  /** @param ms How long a process without a heartbeat counts as alive. */
  constructor(store: OutboxStore, clock: Clock, ms: number) {
    this.#store = store;
    this.#clock = clock;
    this.#ms = ms;
  }

  /** Creates a lease to take a message with. */
  next(): Lease {
    return { id: randomUUID(), until: this.#until() };
  }

  hold({ id }: Lease): void {
    this.#held.add(id);
    this.#beatLater();
  }

  /** Renews the lease. False if it was lost because this process missed its heartbeats. */
  async renew({ id }: Lease): Promise<boolean> {
    const held = await this.#store.keepAlive([id], this.#until());
    return held.length > 0;
  }

  drop({ id }: Lease): void {
    this.#held.delete(id);
    if (this.#held.size > 0) return;
    this.#cancel?.();
    this.#cancel = undefined;
  }

  /** Ends the lease of an unchanged message, so that another process finds out what happened to it. */
  async abandon(lease: Lease): Promise<void> {
    this.drop(lease);
    await this.#store.keepAlive([lease.id], this.#clock.time());
  }

  async #beat(): Promise<void> {
    this.#cancel = undefined;
    // The store may recover; if not, another process looks the messages up.
    await this.#store.keepAlive([...this.#held], this.#until()).catch(() => {});
    if (this.#held.size > 0) this.#beatLater();
  }

  #beatLater(): void {
    this.#cancel ??= this.#clock.after(this.#ms / HEARTBEATS, () => void this.#beat());
  }

  #until(): number {
    return this.#clock.time() + this.#ms;
  }
}
