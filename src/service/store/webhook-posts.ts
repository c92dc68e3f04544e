import { z } from "zod";
import type { Database } from "../../sqlite/driver.js";

const row = z.object({
  seq: z.int(),
  attempts: z.int(),
  body: z.string(),
  /** The domain's current webhook; null if it no longer has one. */
  webhook: z.string().nullable(),
});

export type WebhookPostRecord = Readonly<z.infer<typeof row>>;

/** Pending posts to webhooks. */
export class WebhookPostStore {
  readonly #announced;
  readonly #insert;
  readonly #nextDueAt;
  readonly #dueDomains;
  readonly #next;
  readonly #postpone;
  readonly #delete;

  constructor(database: Database) {
    this.#announced = database.prepare("SELECT name FROM domains WHERE id = ? AND webhook IS NOT NULL");
    this.#insert = database.prepare("INSERT INTO webhook_posts (domain_id, due_at, body) VALUES (?, ?, ?)");
    this.#nextDueAt = database.prepare("SELECT min(due_at) AS dueAt FROM webhook_posts");
    this.#dueDomains = database.prepare("SELECT DISTINCT domain_id AS id FROM webhook_posts WHERE due_at <= ?");
    this.#next = database.prepare(`
      SELECT webhook_posts.seq, attempts, body, webhook FROM webhook_posts JOIN domains ON domains.id = domain_id
      WHERE domain_id = ? AND due_at <= ? ORDER BY webhook_posts.seq LIMIT 1`);
    this.#postpone = database.prepare("UPDATE webhook_posts SET attempts = attempts + 1, due_at = ? WHERE seq = ?");
    this.#delete = database.prepare("DELETE FROM webhook_posts WHERE seq = ?");
  }

  /** The name of a domain that has a webhook. Undefined for any other domain. */
  announcedName(domainId: number): string | undefined {
    const name = this.#announced.get(domainId)?.["name"];
    return typeof name === "string" ? name : undefined;
  }

  add(domainId: number, dueAt: number, body: string): void {
    this.#insert.run(domainId, dueAt, body);
  }

  /** When the next post is due; `Infinity` if there is none. */
  nextDueAt(): number {
    const dueAt = this.#nextDueAt.get()?.["dueAt"];
    return typeof dueAt === "number" ? dueAt : Infinity;
  }

  /** The domains with posts that are due. */
  dueDomains(now: number): number[] {
    return this.#dueDomains.all(now).map(({ id }) => Number(id));
  }

  /** The oldest post that is due for a domain. */
  next(domainId: number, now: number): WebhookPostRecord | undefined {
    const columns = this.#next.get(domainId, now);
    return columns && row.parse(columns);
  }

  /** Counts an attempt and sets the time of the next one. */
  postpone(seq: number, dueAt: number): void {
    this.#postpone.run(dueAt, seq);
  }

  delete(seq: number): void {
    this.#delete.run(seq);
  }
}
