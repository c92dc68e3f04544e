import {
  LISTED_MAILS,
  type MailSummary,
  type OtherService,
  type PreviewEvent,
  type ProjectState,
} from "../../src/preview/contract.js";
import { messageOf, type Source } from "../data/source.js";
import { isEqual } from "./json.js";

/**
 * The state of a resource that is fetched by template name: the last value, and the error if a newer one could not be
 * loaded.
 */
interface Known<Value> {
  readonly value?: Value;
  readonly trouble?: string;
}

export type DataStore = ReturnType<typeof createDataStore>;

/** @param first The template that is shown first. It loads in parallel with the project. */
export const createDataStore = (source: Source, first?: string) => {
  let project: ProjectState | undefined;
  let trouble: string | undefined;
  let isConnected = true;
  let isInboxReachable = true;
  let otherService: OtherService | undefined;
  let mails: readonly MailSummary[] = [];
  let areMailsKnown = false;
  let hasOlderMails = false;
  /** Number of connections so far. A restarted server counts revisions from the start. */
  let connections = 0;
  /** The connection in which the emails were loaded. */
  let mailsOf: number | undefined;
  /** Number of times the emails were loaded. */
  let mailReads = 0;
  const listeners = new Set<() => void>();
  const changeListeners = new Set<(names: readonly string[]) => void>();
  const emit = () => listeners.forEach((listener) => listener());

  // Requests made before the connection was open went to the same server.
  const connection = () => Math.max(1, connections);
  const versionOf = (name: string): Version => ({
    connection: connection(),
    revision: project?.templates.find((template) => template.name === name)?.revision ?? 0,
  });
  const templates = createFetched((name: string) => source.template(name), emit);
  const reports = createFetched((name: string) => source.report(name), emit);

  const setProject = (next: ProjectState) => {
    // Keeping the same object avoids rendering.
    if (!project || !isEqual(project, next)) project = next;
    trouble = undefined;
    emit();
    if (!next.can.seeInbox || mailsOf === connection()) return;
    mailsOf = connection();
    void readMails();
  };

  const setMails = (next: readonly MailSummary[]) => {
    mails = next;
    emit();
  };

  const readMails = async () => {
    const before = mails;
    const read = (mailReads += 1);
    try {
      const listed = await source.mails();
      if (read !== mailReads) return;
      areMailsKnown = true;
      hasOlderMails = listed.length === LISTED_MAILS;
      // Emails that arrived meanwhile may not be in the list yet.
      setMails(newestFirst([...mails.filter((mail) => !before.includes(mail)), ...listed]));
    } catch {
      // An event reports when the inbox is reachable again.
    }
  };

  const readOlderMails = async () => {
    const read = mailReads;
    const listed = await source.mails(mails.at(-1)?.seq);
    if (read !== mailReads) return;
    hasOlderMails = listed.length === LISTED_MAILS;
    setMails(newestFirst([...mails, ...listed]));
  };

  const withoutMails = async (gone: readonly MailSummary[], deletion: () => Promise<void>) => {
    setMails(mails.filter((mail) => !gone.includes(mail)));
    try {
      await deletion();
    } catch (error) {
      setMails(newestFirst([...mails, ...gone]));
      throw error;
    }
  };

  const change = (changed: ProjectState["templates"], removed: readonly string[]) => {
    if (!project) return;
    const byName = new Map(project.templates.map((template) => [template.name, template]));
    const renewed = changed.filter(({ name, revision }) => {
      const before = byName.get(name);
      return before?.revision !== revision && before?.state !== "pending";
    });
    for (const name of removed) byName.delete(name);
    for (const template of changed) byName.set(template.name, template);
    const sorted = [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
    project = { ...project, templates: sorted };
    emit();
    if (renewed.length > 0) changeListeners.forEach((listener) => listener(renewed.map(({ name }) => name)));
  };

  const onEvent = (event: PreviewEvent) => {
    switch (event.kind) {
      case "project":
        return setProject(event.project);
      case "templates":
        return change(event.changed, event.removed);
      case "report":
        return reports.renew(event.name);
      case "mail":
        return setMails(newestFirst([event.mail, ...mails]));
      case "deleted-mails":
        return void readMails();
      case "inbox":
        isInboxReachable = event.isReachable;
        otherService = event.other;
        emit();
        if (isInboxReachable) void readMails();
        return;
    }
  };

  const start = async () => {
    source.subscribe({
      event: onEvent,
      connection: (isUp) => {
        if (isUp) connections += 1;
        if (isUp === isConnected) return;
        isConnected = isUp;
        emit();
      },
    });
    if (first !== undefined) templates.want(first, versionOf(first));
    try {
      const loaded = await source.project();
      if (!project) setProject(loaded);
    } catch (error) {
      trouble = messageOf(error);
      emit();
    }
  };
  // Not while the script runs: with its developer tools open, a browser would read the whole script again to attribute
  // the request.
  queueMicrotask(() => void start());

  return {
    source,
    subscribe: (listener: () => void): (() => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    /** Undefined until it has loaded. */
    project: () => project,
    /** Why the project could not be loaded. */
    trouble: () => (project ? undefined : trouble),
    isConnected: () => isConnected,
    isInboxReachable: () => isInboxReachable,
    /** Another project's local service that runs in place of this project's. */
    otherService: () => otherService,
    mails: () => mails,
    /** Whether the emails were loaded, so that an empty list means that there are none. */
    areMailsKnown: () => areMailsKnown,
    /** Whether the service may have emails that are older than these. */
    hasOlderMails: () => hasOlderMails,
    readOlderMails,
    /** Removes the email from the list at once, and restores it if deleting fails. */
    deleteMail: (id: string) =>
      withoutMails(
        mails.filter((mail) => mail.id === id),
        () => source.deleteMail(id),
      ),
    deleteAllMails: () => withoutMails(mails, () => source.deleteAllMails()),
    template: templates.known,
    report: reports.known,
    /** A string that changes whenever a newer value may be available. */
    versionOf: (name: string): string => `${connection()} ${versionOf(name).revision}`,
    /** Loads the template unless its current revision is already loaded. */
    wantTemplate: (name: string) => templates.want(name, versionOf(name)),
    wantReport: (name: string) => reports.want(name, versionOf(name)),
    /** Reports which templates have changed, for announcements. */
    onChanged: (listener: (names: readonly string[]) => void): (() => void) => {
      changeListeners.add(listener);
      return () => changeListeners.delete(listener);
    },
  };
};

/** Of two emails with the same id, the first is kept. */
const newestFirst = (mails: readonly MailSummary[]): readonly MailSummary[] =>
  [...new Map(mails.toReversed().map((mail) => [mail.id, mail])).values()].sort((a, b) => b.seq - a.seq);

interface Version {
  readonly connection: number;
  readonly revision: number;
}

const isOlder = (one: Version, other: Version) => one.connection !== other.connection || one.revision < other.revision;

interface Entry<Value> {
  known: Known<Value>;
  wanted: Version;
  isLoading: boolean;
  isRenewed: boolean;
}

const unknown = {};

/**
 * Sends one request per name at a time. If that request's answer already is what was wanted meanwhile, no other
 * follows.
 */
const createFetched = <Value extends { readonly revision: number }>(
  get: (name: string) => Promise<Value>,
  emit: () => void,
) => {
  const entries = new Map<string, Entry<Value>>();

  const load = async (name: string, entry: Entry<Value>) => {
    entry.isLoading = true;
    let has: Version;
    do {
      entry.isRenewed = false;
      const { wanted, known } = entry;
      const next: Known<Value> = await get(name).then(
        (value) => ({ value }),
        (error: unknown) => ({ ...known, trouble: messageOf(error) }),
      );
      entry.known = next;
      // The first answer may have been requested before the project and be older than it. Later ones cannot.
      const least = known.value || next.trouble !== undefined ? wanted.revision : 0;
      has = { ...wanted, revision: Math.max(least, next.value?.revision ?? 0) };
      emit();
    } while (entry.isRenewed || isOlder(has, entry.wanted));
    entry.wanted = has;
    entry.isLoading = false;
  };

  return {
    known: (name: string): Known<Value> => entries.get(name)?.known ?? unknown,
    want: (name: string, wanted: Version): void => {
      const entry = entries.get(name) ?? { known: unknown, wanted, isLoading: false, isRenewed: true };
      entries.set(name, entry);
      const isNews = entry.isRenewed || isOlder(entry.wanted, wanted);
      if (isNews) entry.wanted = wanted;
      if (isNews && !entry.isLoading) void load(name, entry);
    },
    /** Loads the value again, whatever its version. */
    renew: (name: string): void => {
      const entry = entries.get(name);
      if (!entry) return;
      entry.isRenewed = true;
      if (!entry.isLoading) void load(name, entry);
    },
  };
};
