/** Maximum consecutive pages without new items: items that are added during a reading move others to a later page. */
const MOST_IDLE_PAGES = 20;
/**
 * Maximum consecutive readings without new items: removals during one reading can hide items that the previous one
 * missed.
 */
const MOST_IDLE_READINGS = 20;

/**
 * Yields every item of a list that is read by page number, once. Items that are added meanwhile move others to a later
 * page; these are not yielded again. Items that are removed move others to an earlier page; then the list is read
 * again, until nothing is removed during a reading. So every item that stays in the list is yielded, even if each one
 * is deleted as soon as it is yielded.
 *
 * @param readPage Its answer has the items under a name, and their total number, if the service says so.
 * @param key The member that identifies an item.
 */
export async function* byNumber<Name extends string, Key extends string, Item extends Record<Key, string | number>>(
  readPage: (page: number) => Promise<{ readonly total?: number } & Readonly<Record<Name, readonly Item[]>>>,
  name: Name,
  key: Key,
): AsyncGenerator<Item, void, undefined> {
  const yielded = new Set<string | number>();
  let idleReadings = 0;
  for (let again = true; again;) {
    const before = yielded.size;
    let read = 0;
    let totalAtFirst: number | undefined;
    let idle = 0;
    for (let number = 1; ; number += 1) {
      const page = await readPage(number);
      const { total, [name]: items } = page;
      totalAtFirst ??= total;
      const fresh = items.filter((item) => !yielded.has(item[key]));
      for (const item of fresh) {
        yielded.add(item[key]);
        yield item;
      }
      read += items.length;
      idle = fresh.length === 0 ? idle + 1 : 0;
      // Pages that only repeat known items come from a service with one page, whatever its total is.
      const most = total === undefined ? 1 : MOST_IDLE_PAGES;
      const isLast = items.length === 0 || idle >= most || read >= (total ?? Number.POSITIVE_INFINITY);
      if (!isLast) continue;
      idleReadings = yielded.size > before ? 0 : idleReadings + 1;
      again = total !== undefined && total < (totalAtFirst ?? 0) && idleReadings < MOST_IDLE_READINGS;
      break;
    }
  }
}

/** A page that says where the next one begins. */
export interface LinkedPage<Item, Place> {
  readonly items: readonly Item[];
  /** Undefined on the last page. */
  readonly next?: Place;
}

/** Yields every item of a list that is read by cursor or offset, once. Each cursor is also read only once. */
export async function* byPlace<Item, Place>(
  readPage: (place: Place | undefined) => Promise<LinkedPage<Item, Place>>,
  keyOf: (item: Item) => string | number,
): AsyncGenerator<Item, void, undefined> {
  const yielded = new Set<string | number>();
  const places = new Set<Place>();
  let place: Place | undefined;
  do {
    const { items, next } = await readPage(place);
    for (const item of items) {
      if (yielded.has(keyOf(item))) continue;
      yielded.add(keyOf(item));
      yield item;
    }
    place = next === undefined || places.has(next) ? undefined : next;
    if (next !== undefined) places.add(next);
  } while (place !== undefined);
}

/** A list that arrives in one answer: await it as an array, or iterate it like other lists. */
export type Listing<Item> = Promise<Item[]> & AsyncIterable<Item>;

export function listing<Item>(items: Promise<Item[]>): Listing<Item> {
  return Object.assign(items, {
    async *[Symbol.asyncIterator]() {
      yield* await items;
    },
  });
}
