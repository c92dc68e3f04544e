import type { SourcePosition } from "../diagnostic.js";

/** What user code read while it ran: its result depends on these as much as on its modules. */
export interface Reads {
  /** Environment variables, each once, sorted by name. */
  readonly environment: readonly EnvironmentRead[];
  /** Files, absolute, sorted. */
  readonly files: readonly string[];
  /** Where own modules read the time or random numbers, in order. */
  readonly moments: readonly SourcePosition[];
}

/** Used instead of a variable's name if all names were listed. */
export const ALL_NAMES = "*";

export interface EnvironmentRead {
  readonly name: string;
  readonly isSet: boolean;
  /** Where one of the project's own modules first reads it; absent if only packages do. */
  readonly at?: SourcePosition;
}

/** Collects reads. */
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
