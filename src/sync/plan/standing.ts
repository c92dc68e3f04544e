import { type Content, wordsHash } from "../content.js";
import { type LockEntry, provesStored } from "../lock.js";
import type { Marker } from "../../marker.js";
import type { RemoteSummary, RemoteTemplate } from "../remote.js";

/** Where a template on the service stands: whose it is, and whether anybody touched it since it was applied. */
export interface Standing {
  /** By its marker, or by the lock and the journals where it has none. */
  readonly owner: "ours" | "others" | "nobody";
  /** Hash of what the service has. */
  readonly stored: string;
  /** Hash of what was last applied; absent where nobody knows. */
  readonly applied?: string;
  /** Whether the service still has what was applied, as far as it stores it at all. */
  readonly isClean: boolean;
}

/** What the journals say that a run of this machine wrote, or was about to write when it ended. */
export interface WrittenContent {
  readonly hash: string;
  /** Hash of what the service made of it, where that is another one and was answered. */
  readonly stored?: string;
  /** Hash of its words. */
  readonly words?: string;
  /** The service stored only a part of it, which is `stored`. */
  readonly isPartial?: true;
  /** False where the run ended before an answer came. */
  readonly isKnown: boolean;
}

export interface StandingSources {
  readonly summary: RemoteSummary;
  /** Absent where it was not read. */
  readonly remote?: RemoteTemplate;
  readonly entry?: LockEntry;
  readonly written?: readonly WrittenContent[];
  /** The marker's text of this project and environment; undefined where markers are off. */
  readonly markerText: string | undefined;
}

/** Undefined where only reading the template can tell. */
export function standingOf(sources: StandingSources): Standing | undefined {
  const { summary, remote, entry, markerText } = sources;
  if (remote !== undefined) return standingOfRead({ ...sources, remote });
  const isOurs = markerText === undefined ? entry !== undefined : summary.marker?.text === markerText;
  return isOurs && entry !== undefined && provesStored(entry, summary, markerText !== undefined)
    ? { owner: "ours", stored: entry.stored, applied: entry.applied, isClean: true }
    : undefined;
}

function standingOfRead({
  remote: { hash: stored, marker, content },
  entry,
  written = [],
  markerText,
}: StandingSources & { readonly remote: RemoteTemplate }): Standing {
  if (markerText !== undefined && marker !== undefined && marker.text !== markerText)
    return { owner: "others", stored, isClean: false };
  // What is left of a write that failed is nobody's edit, and not what was to be applied.
  if (written.some((each) => each.isPartial && stored === each.stored))
    return { owner: "ours", stored, applied: stored, isClean: true };
  if (markerText !== undefined && marker !== undefined) {
    const isClean = isAsMarked({ stored, content }, marker, entry, written);
    return { owner: "ours", stored, applied: marker.applied, isClean };
  }
  const own = written.find((each) => stored === each.hash || stored === each.stored);
  if (own !== undefined) return { owner: "ours", stored, applied: own.hash, isClean: true };
  if (entry === undefined) return { owner: "nobody", stored, isClean: false };
  const { applied } = entry;
  return { owner: "ours", stored, applied, isClean: stored === entry.stored || stored === applied };
}

/** Whether a content is what its marker names, or what the service is known to have made of that. */
function isAsMarked(
  { stored, content }: { readonly stored: string; readonly content: Content },
  marker: Marker,
  entry: LockEntry | undefined,
  written: readonly WrittenContent[],
): boolean {
  if (stored === marker.applied || stored === marker.stored) return true;
  const own = written.filter(({ hash }) => hash === marker.applied);
  if (own.some((each) => each.stored === stored)) return true;
  // A later run has read what became of it.
  if (entry?.applied === marker.applied) return entry.stored === stored;
  // A run that ended before its answer could not note what the service stored. A service may change signs, not words.
  return own.some(({ isKnown, words }) => !isKnown && words === wordsHash(content));
}
