import { hash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { type Backoff, backoff } from "../api/calls/timing.js";
import { anySignal } from "../send/any-signal.js";
import { type Database, inTime, type PostgresClient } from "./database.js";

/** Between tries to connect; varied, so that the servers of an application do not all connect at once. */
const RECONNECT: Backoff = { firstMs: 200, longestMs: 30_000 };
/** A connection that broke silently is noticed by its next probe. */
const PROBE_MS = 30_000;
const ANSWER_MS = 5_000;

/**
 * The channel of a schema's notifications: a short identifier, whatever the schema's name. In SQL:
 * `'lettershop_' || left(encode(sha256(convert_to(TG_TABLE_SCHEMA, 'UTF8')), 'hex'), 32)`.
 */
export function channelOf(schema: string): string {
  return `lettershop_${hash("sha256", schema).slice(0, 32)}`;
}

/**
 * Hears the notifications of a store: on one connection for all subscribers, while there are any. It may miss some, and
 * hears none if the pool has no connection to spare, or if a pooler such as PgBouncer is in between. So subscribers
 * also look from time to time.
 */
export class Listener {
  readonly #channel: string;
  readonly #subscribers = new Set<{ readonly hear: (payload: string) => void }>();
  #stopping: AbortController | undefined;
  #running: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(private readonly database: Database) {
    this.#channel = channelOf(database.schema);
  }

  /**
   * Subscribes to the payloads of notifications. An empty one means that any may have been missed, because the
   * connection is new.
   *
   * @returns A function that unsubscribes.
   */
  listen(hear: (payload: string) => void): () => void {
    if (this.#closed) return () => undefined;
    const subscriber = { hear };
    this.#subscribers.add(subscriber);
    if (this.#stopping === undefined) this.#start();
    return () => {
      this.#subscribers.delete(subscriber);
      if (this.#subscribers.size === 0) this.#stop();
    };
  }

  /** Ends all subscriptions, and gives the connection back. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#subscribers.clear();
    this.#stop();
    await this.#running;
  }

  #start(): void {
    const stopping = new AbortController();
    this.#stopping = stopping;
    this.#running = this.#running.then(() => this.#run(stopping.signal));
  }

  #stop(): void {
    this.#stopping?.abort();
    this.#stopping = undefined;
  }

  async #run(signal: AbortSignal): Promise<void> {
    let tries = 0;
    while (!signal.aborted) {
      tries += 1;
      try {
        if (!(await this.database.hasSeveralConnections())) return;
        const client = await this.database.connect(signal);
        const end = await this.#hearFrom(client, signal, () => (tries = 1));
        if (end === "pooled") return;
      } catch {
        // Whoever needs the database learns why; here, it is only tried again.
      }
      const pause = backoff(tries, RECONNECT) * (0.5 + Math.random() / 2);
      await sleep(pause, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Hears until the connection breaks or the signal is aborted. A pooler's connections change: none is left listening. */
  async #hearFrom(client: PostgresClient, stopping: AbortSignal, connected: () => void): Promise<"pooled" | "over"> {
    const broken = new AbortController();
    const { signal, detach } = anySignal([stopping, broken.signal]);
    client.on("error", () => broken.abort());
    client.on("notification", ({ channel, payload = "" }) => {
      if (channel === this.#channel && !signal.aborted) this.#tell(payload);
    });
    const query = (sql: string) => inTime(this.database.queryOn(client)(sql), ANSWER_MS, () => "an answer");
    try {
      const [backend] = await query("SELECT pg_backend_pid()::text");
      if (backend !== String(client.processID)) return "pooled";
      await query(`LISTEN ${this.#channel}`);
      connected();
      if (!signal.aborted) this.#tell("");
      while (!signal.aborted) {
        await sleep(PROBE_MS, undefined, { signal }).catch(() => undefined);
        if (!signal.aborted) await query("SELECT 'alive'");
      }
      return "over";
    } finally {
      detach();
      // Closed rather than reused, since it listens. Whatever it still reports is heard above.
      client.release(true);
    }
  }

  #tell(payload: string): void {
    for (const { hear } of this.#subscribers) hear(payload);
  }
}
