import type { World } from "./world.js";

/** A test of a sentence of the documents. */
export interface Sentence {
  /** The part of the document, and the sentence or the table's cell in its own words. */
  readonly quotation: string;
  /** The items of the inventory that it covers, by their names; `*` and `{a,b}` as in `itemsNamed`. */
  readonly covers: readonly string[];
  readonly run: (world: World) => Promise<void>;
  /** That it writes into the local service's log: it has a service of its own then, on a file. */
  readonly writesLog: boolean;
}

/** All of them, in the order in which they were declared. */
export const sentences: Sentence[] = [];

/**
 * Declares a test of a sentence of the documents.
 *
 * @example
 * sentence("v4 part 4, Account: “`{account}`”", ["v4 account.get answer *"], async ({ v4 }) => {
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
