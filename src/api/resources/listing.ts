/** A list that comes in one answer: to be awaited as an array, or iterated as other lists are. */
export type Listing<Item> = Promise<Item[]> & AsyncIterable<Item>;

export function listing<Item>(items: Promise<Item[]>): Listing<Item> {
  return Object.assign(items, {
    async *[Symbol.asyncIterator]() {
      yield* await items;
    },
  });
}
