import { memoizeByString } from "../memoize.js";
import { type Feature, supportData } from "./data.js";
import { isAboutAccounts, noteApplies } from "./notes.js";
import type { Use } from "./use.js";

/** Which of the checked clients do not support something, or support it only in part. */
export interface Verdict {
  readonly unsupported: readonly string[];
  /** The clients that support the feature in general, but not this use of it. */
  readonly partial: readonly string[];
  /** caniemail's notes on the partial support, without duplicates. */
  readonly notes: readonly string[];
  /** The clients for which support is known. */
  readonly known: readonly string[];
}

/** What the clients support, shared by all documents. @param clients Ids, as `clientsOf` returns them. */
export function supportOf(clients: readonly string[]): Support {
  return supportOfList(clients.join());
}

const supportOfList = memoizeByString(10, (clients) => new Support(clients.split(",")));

export class Support {
  readonly #indexes: readonly (readonly [client: string, index: number])[];
  readonly #features = new Map<Feature, FeatureClients>();

  constructor(clients: readonly string[]) {
    const all = Object.keys(supportData().clients);
    this.#indexes = clients.map((client) => [client, all.indexOf(client)]);
  }

  /** Support for a feature if every note about it applies. */
  atWorst(feature: Feature): Verdict {
    return this.#clientsOf(feature).worst;
  }

  /** Support for one use of a feature. */
  of(use: Use): Verdict {
    const { certain, conditional } = this.#clientsOf(use.feature);
    const applying = conditional.filter(({ note }) => noteApplies(note, use));
    const verdict = applying.length === 0 ? certain : withNotes(certain, applying);
    return this.#withoutUnreached(verdict, use.requires ?? []);
  }

  /** caniemail's notes on one client's support for a use of a feature. */
  notesOn(use: Use, client: string): string[] {
    return this.#clientsOf(use.feature).conditional.flatMap(({ note, clients }) =>
      clients.includes(client) && noteApplies(note, use) ? [note] : [],
    );
  }

  /** Removes clients that never reach the use because they ignore the rule around it. */
  #withoutUnreached(verdict: Verdict, requires: readonly Feature[]): Verdict {
    if (requires.length === 0) return verdict;
    const unreached = new Set(requires.flatMap((feature) => this.#clientsOf(feature).certain.unsupported));
    if (unreached.size === 0) return verdict;
    const isReached = (client: string): boolean => !unreached.has(client);
    return {
      ...verdict,
      unsupported: verdict.unsupported.filter(isReached),
      partial: verdict.partial.filter(isReached),
    };
  }

  #clientsOf(feature: Feature): FeatureClients {
    const clients = this.#features.get(feature) ?? this.#read(feature);
    this.#features.set(feature, clients);
    return clients;
  }

  #read(feature: Feature): FeatureClients {
    const { support, notes = {} } = supportData().features[feature];
    const words = support.split(" ");
    const certain = { known: [] as string[], unsupported: [] as string[], partial: [] as string[], notes: [] };
    const byNote = new Map<string, string[]>();
    for (const [client, index] of this.#indexes) {
      const word = words[index] ?? "u";
      if (word.startsWith("u")) continue;
      certain.known.push(client);
      if (word.startsWith("n")) certain.unsupported.push(client);
      if (!word.startsWith("a")) continue;
      const texts = (word.match(/\d+/g) ?? []).flatMap((number) => notes[number] ?? []);
      if (texts.length === 0) certain.partial.push(client);
      for (const note of texts) if (!isAboutAccounts(note)) byNote.set(note, [...(byNote.get(note) ?? []), client]);
    }
    const conditional = Array.from(byNote, ([note, clients]) => ({ note, clients }));
    return { certain, conditional, worst: withNotes(certain, conditional) };
  }
}

interface FeatureClients {
  /** Support that does not depend on the use. */
  readonly certain: Verdict;
  /** Clients with partial support that depends on the use. */
  readonly conditional: readonly { readonly note: string; readonly clients: readonly string[] }[];
  /** Support if every note applies. */
  readonly worst: Verdict;
}

function withNotes(certain: Verdict, applying: FeatureClients["conditional"]): Verdict {
  const partial = new Set([...certain.partial, ...applying.flatMap(({ clients }) => clients)]);
  return {
    ...certain,
    partial: certain.known.filter((client) => partial.has(client)),
    notes: applying.map(({ note }) => note),
  };
}
