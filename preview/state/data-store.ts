import {
  LISTED_MAILS,
  MAIL_FOLDERS,
  type MailFolder,
  type MailSummary,
  type OtherService,
  type OwnService,
  type PreviewEvent,
  type ProjectState,
} from "../../src/preview/contract.js";
import { messageOf, type Source } from "../data/source.js";
import { isEqual } from "./json.js";
import { type Answer, createNewestQueue, KeyedStore, ObservableStore } from "./stores.js";

/** What the page knows of the project and the inbox. */
export interface DataState {
  /** Undefined until it has loaded. */
  readonly project?: ProjectState;
  /** Why the project could not be loaded. */
  readonly trouble?: string;
  readonly isConnected: boolean;
  readonly isInboxReachable: boolean;
  /** The project's local service, while it is known to run. */
  readonly ownService?: OwnService | undefined;
  /** Another project's local service that runs in place of this project's. */
  readonly otherService?: OtherService | undefined;
  /** Of all folders, newest first. */
  readonly mails: readonly MailSummary[];
  /** Whether the emails were loaded: only then does an empty list mean that there are none. */
  readonly areMailsKnown: boolean;
  /** Folders in which the service may have emails that are older than these. */
  readonly foldersWithOlderMails: readonly MailFolder[];
}

export type DataStore = ReturnType<typeof createDataStore>;

/** @param first The template that is shown first. It loads in parallel with the project. */
export const createDataStore = (source: Source, first?: string) => {
  const state = new ObservableStore<DataState>({
    isConnected: true,
    isInboxReachable: true,
    mails: [],
    areMailsKnown: false,
    foldersWithOlderMails: [],
  });
  const update = (change: Partial<DataState>) => state.set({ ...state.get(), ...change });
  /** Number of connections so far. A restarted server counts revisions from the start. */
  let connections = 0;
  /** The connection in which the emails were loaded. */
  let mailsOf: number | undefined;
  /** Number of times the emails were loaded. */
  let mailReads = 0;
  const changeListeners = new Set<(names: readonly string[]) => void>();

  // Requests made before the connection was open went to the same server.
  const connection = () => Math.max(1, connections);
  const versionOf = (name: string): Version => ({
    connection: connection(),
    revision: state.get().project?.templates.find((template) => template.name === name)?.revision ?? 0,
  });
  const templates = createFetched((name: string) => source.template(name));
  const reports = createFetched((name: string) => source.report(name));

  const setProject = (next: ProjectState) => {
    // Keeping the same object avoids rendering.
    const { project } = state.get();
    update({ project: isEqual(project, next) && project ? project : next });
    if (!next.can.seeInbox || mailsOf === connection()) return;
    mailsOf = connection();
    void readMails();
  };

  const readMails = async () => {
    const before = state.get().mails;
    const read = (mailReads += 1);
    try {
      const lists = await Promise.all(MAIL_FOLDERS.map((folder) => source.mails(folder)));
      if (read !== mailReads) return;
      // Emails that arrived meanwhile may not be in the list yet.
      const arrived = state.get().mails.filter((mail) => !before.includes(mail));
      update({
        areMailsKnown: true,
        foldersWithOlderMails: MAIL_FOLDERS.filter((_, index) => lists[index]?.length === LISTED_MAILS),
        mails: newestFirst([...arrived, ...lists.flat()]),
      });
    } catch {
      // An event reports when the inbox is reachable again.
    }
  };

  const readOlderMails = async (folder: MailFolder) => {
    const read = mailReads;
    const listed = await source.mails(folder, state.get().mails.findLast((mail) => mail.folder === folder)?.seq);
    if (read !== mailReads) return;
    const others = state.get().foldersWithOlderMails.filter((each) => each !== folder);
    addMails(listed, { foldersWithOlderMails: listed.length === LISTED_MAILS ? [...others, folder] : others });
  };

  const addMails = (added: readonly MailSummary[], change?: Partial<DataState>) =>
    update({ ...change, mails: newestFirst([...state.get().mails, ...added]) });

  const withoutMails = async (gone: readonly MailSummary[], deletion: () => Promise<void>) => {
    update({ mails: state.get().mails.filter((mail) => !gone.includes(mail)) });
    try {
      await deletion();
    } catch (error) {
      addMails(gone);
      throw error;
    }
  };

  const change = (changed: ProjectState["templates"], removed: readonly string[]) => {
    const { project } = state.get();
    if (!project) return;
    const byName = new Map(project.templates.map((template) => [template.name, template]));
    const renewed = changed.filter(({ name, revision }) => {
      const before = byName.get(name);
      return before?.revision !== revision && before?.state !== "pending";
    });
    for (const name of removed) byName.delete(name);
    for (const template of changed) byName.set(template.name, template);
    const sorted = [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
    update({ project: { ...project, templates: sorted } });
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
        return update({ mails: newestFirst([event.mail, ...state.get().mails]) });
      case "deleted-mails":
        return void readMails();
      case "inbox":
        update({ isInboxReachable: event.service !== undefined, ownService: event.service, otherService: event.other });
        if (event.service) void readMails();
        return;
    }
  };

  const start = async () => {
    source.subscribe({
      event: onEvent,
      connection: (isUp) => {
        if (isUp) connections += 1;
        if (isUp !== state.get().isConnected) update({ isConnected: isUp });
      },
    });
    if (first !== undefined) templates.want(first, versionOf(first));
    try {
      const loaded = await source.project();
      if (!state.get().project) setProject(loaded);
    } catch (error) {
      update({ trouble: messageOf(error) });
    }
  };
  // Not while the script runs: with its developer tools open, a browser would read the whole script again to attribute
  // the request.
  queueMicrotask(() => void start());

  return {
    source,
    state,
    templates: templates.known,
    reports: reports.known,
    readOlderMails,
    /** Removes the email from the list at once, and restores it if deleting fails. */
    deleteMail: (id: string) =>
      withoutMails(
        state.get().mails.filter((mail) => mail.id === id),
        () => source.deleteMail(id),
      ),
    deleteAllMails: (folder: MailFolder) =>
      withoutMails(
        state.get().mails.filter((mail) => mail.folder === folder),
        () => source.deleteAllMails(folder),
      ),
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

/**
 * The state of a resource that is fetched by template name: the last value, and the error if a newer one could not be
 * loaded.
 */
type Known<Value> = Omit<Answer<Value>, "isAsking">;

interface Entry {
  readonly run: ReturnType<typeof createNewestQueue>;
  wanted: Version;
  /** The version of the last answer. */
  has: Version;
  /** Whether it is loaded again in any case. */
  isRenewed: boolean;
}

/**
 * Sends one request per name at a time. If that request's answer already is what was wanted meanwhile, no other
 * follows.
 */
const createFetched = <Value extends { readonly revision: number }>(get: (name: string) => Promise<Value>) => {
  const known = new KeyedStore<Known<Value>>();
  const entries = new Map<string, Entry>();

  const load = async (name: string, entry: Entry) => {
    const { wanted, has, isRenewed } = entry;
    if (!isRenewed && !isOlder(has, wanted)) return;
    entry.isRenewed = false;
    const before = known.get(name);
    const next: Known<Value> = await get(name).then(
      (value) => ({ value }),
      (error: unknown) => ({ ...before, trouble: messageOf(error) }),
    );
    // The first answer may have been requested before the project and be older than it. Later ones cannot.
    const least = before?.value || next.trouble !== undefined ? wanted.revision : 0;
    entry.has = { ...wanted, revision: Math.max(least, next.value?.revision ?? 0) };
    known.set(name, next);
  };

  return {
    known,
    want: (name: string, wanted: Version): void => {
      const entry = entries.get(name) ?? { run: createNewestQueue(), wanted, has: wanted, isRenewed: true };
      entries.set(name, entry);
      entry.wanted = wanted;
      void entry.run(() => load(name, entry));
    },
    /** Loads the value again, whatever its version. */
    renew: (name: string): void => {
      const entry = entries.get(name);
      if (!entry) return;
      entry.isRenewed = true;
      void entry.run(() => load(name, entry));
    },
  };
};
