/** A list that arrives in one answer: await it as an array, or iterate it like other lists. */
export type Listing<Item> = Promise<Item[]> & AsyncIterable<Item>;

export function listing<Item>(items: Promise<Item[]>): Listing<Item> {
  return Object.assign(items, {
    async *[Symbol.asyncIterator]() {
      yield* await items;
    },
  });
}
