import type { World } from "./world.js";

/** A test of a sentence of the documents. */
export interface Sentence {
  /** The part of the document, and the exact words of the sentence or the table cell. */
  readonly quotation: string;
  /** Names of the inventory's items that it covers, with `*` and `{a,b}` as in `itemsNamed`. */
  readonly covers: readonly string[];
  readonly run: (world: World) => Promise<void>;
  /** Whether it writes to the local service's log. It then has its own service, on a file. */
  readonly writesLog: boolean;
}

/** All sentences, in order of declaration. */
export const sentences: Sentence[] = [];

/**
 * Declares a test of a sentence of the documents.
 *
 * @example
 * sentence('v4 part 4, Account: "`{account}`"', ["v4 account.get answer *"], async ({ v4 }) => {
 *   await v4("GET /account");
 * });
 */
export function sentence(
  quotation: string,
  covers: readonly string[],
  run: Sentence["run"],
  { writesLog = false }: Partial<Pick<Sentence, "writesLog">> = {},
): void {
  sentences.push({ quotation, covers, run, writesLog });
}
