interface Level {
  readonly first: string;
  readonly rest: string;
  isBegun: boolean;
}

/** What stands before the lines of lists and quotes: a bullet once for each item, and indentation for its other lines. */
export class Margin {
  readonly #levels: Level[] = [];
  /** For each section around, which levels had begun before it. */
  readonly #sections: boolean[][] = [];

  within(first: string, rest: string, write: () => void): void {
    this.#levels.push({ first, rest, isBegun: false });
    write();
    this.#levels.pop();
  }

  /** The prefix of a line that begins now. */
  take(): string {
    const prefix = this.next();
    for (const level of this.#levels) level.isBegun = true;
    return prefix;
  }

  next(): string {
    return this.#levels.map(({ first, rest, isBegun }) => (isBegun ? rest : first)).join("");
  }

  /** Of several sections at the beginning of an item, any may be the one that is shown: each has the bullet. */
  pass(role: "opens" | "closes"): void {
    if (role === "opens") {
      this.#sections.push(this.#levels.map(({ isBegun }) => isBegun));
      return;
    }
    for (const [index, isBegun] of (this.#sections.pop() ?? []).entries()) {
      const level = this.#levels[index];
      if (level) level.isBegun = isBegun;
    }
  }
}
