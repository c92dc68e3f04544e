interface Level {
  readonly first: string;
  readonly rest: string;
  isBegun: boolean;
}

/** The prefixes of lines in lists and quotes: a bullet for the first line of an item, and indentation for the others. */
export class Margin {
  readonly #levels: Level[] = [];
  /** For each enclosing section, which levels had begun before it. */
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

  /** Of several sections at the beginning of an item, any may be shown first, so each gets the bullet. */
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
