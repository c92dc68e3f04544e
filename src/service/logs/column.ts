type Values = Float64Array | Uint32Array | Uint8Array;

/** A growing list of numbers that uses as little memory as possible. */
export class Column<Kind extends Values> {
  length = 0;
  #values: Kind;
  readonly #make: (length: number) => Kind;

  constructor(make: (length: number) => Kind) {
    this.#make = make;
    this.#values = make(1_024);
  }

  /** The numbers, followed by unused space. A different array after the column has grown. */
  get values(): Kind {
    return this.#values;
  }

  push(value: number): void {
    if (this.length === this.#values.length) {
      const grown = this.#make(2 * this.length);
      grown.set(this.#values);
      this.#values = grown;
    }
    this.#values[this.length] = value;
    this.length += 1;
  }
}

export const column = {
  float64: () => new Column((length) => new Float64Array(length)),
  uint32: () => new Column((length) => new Uint32Array(length)),
  uint8: () => new Column((length) => new Uint8Array(length)),
};
