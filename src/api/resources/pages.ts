/** A page of a list that is read by number. */
interface NumberedPage {
  /** Items of the whole list; undefined where the service doesn't say. */
  readonly total?: number | undefined;
}

/** So many pages on end may bring nothing new: items that are added while a list is read move others to a later page. */
const MOST_IDLE_PAGES = 20;
/** So many readings on end may: what goes while one is under way can hide from it what another had missed. */
const MOST_IDLE_READINGS = 20;

/**
 * Every item of a list that is read by page number, once. Items that are added while it is read move others to a later
 * page, where they are not given a second time; where items have gone, which moves others to a page that was read
 * already, the list is read again until nothing goes while it is read. So what is there all the time is given, even when
 * each item is deleted as it comes.
 */
export async function* byNumber<Page extends NumberedPage, Item>(
  readPage: (page: number) => Promise<Page>,
  itemsOf: (page: Page) => readonly Item[],
  keyOf: (item: Item) => string | number,
): AsyncGenerator<Item, void, undefined> {
  const given = new Set<string | number>();
  let idleReadings = 0;
  for (let again = true; again;) {
    const before = given.size;
    let read = 0;
    let totalAtFirst: number | undefined;
    let idle = 0;
    for (let number = 1; ; number += 1) {
      const page = await readPage(number);
      const { total } = page;
      const items = itemsOf(page);
      totalAtFirst ??= total;
      const fresh = items.filter((item) => !given.has(keyOf(item)));
      for (const item of fresh) {
        given.add(keyOf(item));
        yield item;
      }
      read += items.length;
      idle = fresh.length === 0 ? idle + 1 : 0;
      // Pages that only repeat what was given come from a service that has one page, whatever its total says.
      const most = total === undefined ? 1 : MOST_IDLE_PAGES;
      const isLast = items.length === 0 || idle >= most || read >= (total ?? Number.POSITIVE_INFINITY);
      if (!isLast) continue;
      idleReadings = given.size > before ? 0 : idleReadings + 1;
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

/** Every item of a list that is read from place to place, by cursor or by offset, once. A place is read once, too. */
export async function* byPlace<Item, Place>(
  readPage: (place: Place | undefined) => Promise<LinkedPage<Item, Place>>,
  keyOf: (item: Item) => string | number,
): AsyncGenerator<Item, void, undefined> {
  const given = new Set<string | number>();
  const places = new Set<Place>();
  let place: Place | undefined;
  do {
    const { items, next } = await readPage(place);
    for (const item of items) {
      if (given.has(keyOf(item))) continue;
      given.add(keyOf(item));
      yield item;
    }
    place = next === undefined || places.has(next) ? undefined : next;
    if (next !== undefined) places.add(next);
  } while (place !== undefined);
}
