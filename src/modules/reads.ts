import type { SourcePosition } from "../diagnostic.js";

/** What user code asked of its surroundings while it ran: what it gave depends on that as on its modules. */
export interface Reads {
  /** Environment variables, each once, sorted by name. */
  readonly environment: readonly EnvironmentRead[];
  /** Files, absolute, sorted. */
  readonly files: readonly string[];
  /** Where own modules ask for the time or for chance, in the order in which they did. */
  readonly moments: readonly SourcePosition[];
}

/** In the place of a variable's name, for the names of all that there are. */
export const ALL_NAMES = "*";

export interface EnvironmentRead {
  readonly name: string;
  readonly isSet: boolean;
  /** Where one of the project's own modules reads it first; absent where only packages do. */
  readonly at?: SourcePosition;
}

/** Reads that are noted one by one. */
export class ReadLog {
  readonly #environment = new Map<string, EnvironmentRead>();
  readonly #files = new Set<string>();
  readonly #moments = new Map<string, SourcePosition>();

  noteEnvironment(read: EnvironmentRead): void {
    const known = this.#environment.get(read.name);
    if (!known || (!known.at && read.at)) this.#environment.set(read.name, read);
  }

  noteFile(file: string): void {
    this.#files.add(file);
  }

  noteMoment(at: SourcePosition): void {
    this.#moments.set(JSON.stringify(at), at);
  }

  add({ environment, files, moments }: Reads): void {
    for (const read of environment) this.noteEnvironment(read);
    for (const file of files) this.noteFile(file);
    for (const at of moments) this.noteMoment(at);
  }

  get reads(): Reads {
    return {
      environment: [...this.#environment.values()].sort((a, b) => (a.name < b.name ? -1 : 1)),
      files: [...this.#files].sort(),
      moments: [...this.#moments.values()],
    };
  }
}
