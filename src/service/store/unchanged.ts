/** Maximum number of cached records: tests and benchmarks need few, and each may take 200 kB. */
const MOST = 50;

/** A cache of records that is valid until anything is written. No other process writes to the database. */
export class Unchanged<Row> {
  readonly #changes: () => number;
  readonly #records = new Map<string, Row>();
  #readAt = Number.NaN;

  /** @param changes Returns the number of rows written so far. */
  constructor(changes: () => number) {
    this.#changes = changes;
  }

  get(key: string, read: () => Row | undefined): Row | undefined {
    const changes = this.#changes();
    if (changes !== this.#readAt || this.#records.size >= MOST) this.#records.clear();
    this.#readAt = changes;
    const known = this.#records.get(key);
    if (known !== undefined) return known;
    const record = read();
    if (record !== undefined) this.#records.set(key, record);
    return record;
  }

  /** Clears the cache after a rollback: records that were read in the transaction never existed. */
  forget(): void {
    this.#records.clear();
  }
}
