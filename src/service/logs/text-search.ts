import { setImmediate as nextTurn } from "node:timers/promises";
import type { ServiceContext } from "../context.js";
import type { LogFeed } from "../store/log-feed.js";
import type { LogEntryRecord, SearchedEntry } from "../store/log-rows.js";
import { Grade } from "./grade.js";
import type { SearchQuestion } from "./log-search.js";
import { words } from "./split-words.js";

/** Maximum number of entries that are searched before other requests get their turn. */
const SLICE = 1_000;

/**
 * The entries that contain a string, case-insensitively, in their subject or in one of their addresses or names.
 *
 * @example
 * await searchText(context, domain.id, "ada@ex", { filter: {}, order: "newest" });
 */
export async function searchText(
  { store, logSearch }: Pick<ServiceContext, "store" | "logSearch">,
  domainId: number,
  text: string | undefined,
  question: Pick<SearchQuestion, "filter" | "order">,
): Promise<LogEntryRecord[]> {
  // An entry that contains the string also contains its words, at least as parts of words, which the index can find.
  const query = text !== undefined && words(text).length > 0 ? text : undefined;
  const bounds = { horizon: store.logs.horizon(domainId), latest: store.logs.latest() };
  const candidates = await logSearch.find(domainId, { ...question, ...bounds, query, least: Grade.part });

  const wanted = text?.toLowerCase();
  const matches: LogEntryRecord[] = [];
  for (let start = 0; start < candidates.total; start += SLICE) {
    if (start > 0) await nextTurn();
    const seqs = candidates.seqs(start, start + SLICE);
    matches.push(...store.logs.bySeq(wanted === undefined ? seqs : containing(wanted, seqs, store.logFeed)));
  }
  return matches;
}

/** The numbers of the entries that contain the string. */
function containing(wanted: string, seqs: readonly number[], feed: LogFeed): number[] {
  const numbers = new Set(feed.bySeq(seqs).flatMap((entry) => (has(entry, wanted) ? entry.seq : [])));
  return seqs.filter((seq) => numbers.has(seq));
}

function has({ subject, sender, recipient, forward }: SearchedEntry, wanted: string): boolean {
  return [subject, ...[sender, recipient, forward].flatMap((mailbox) => [mailbox?.email, mailbox?.name])].some((text) =>
    text?.toLowerCase().includes(wanted),
  );
}
