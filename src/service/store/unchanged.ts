/** As many records are kept: a suite of tests or a benchmark asks for few, and each may be 200 kB. */
const MOST = 50;

/** Records that were read, until anything at all is written: nobody else writes into the database. */
export class Unchanged<Row> {
  readonly #changes: () => number;
  readonly #records = new Map<string, Row>();
  #readAt = Number.NaN;

  /** @param changes How many rows were written so far. */
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

  /** After a rollback: what was read within it was never there. */
  forget(): void {
    this.#records.clear();
  }
}
