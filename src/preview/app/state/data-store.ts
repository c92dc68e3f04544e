import type {
  MailSummary,
  OtherService,
  PreviewEvent,
  ProjectState,
  TemplateDetail,
  TemplateReport,
} from "../../contract.js";
import type { Source } from "../data/source.js";
import { isSame } from "../variables/same.js";

/** What is known of something that is fetched by a template's name: the last answer, and why there is no newer one. */
export interface Known<Value> {
  readonly value?: Value;
  readonly trouble?: string;
}

export interface DataStore {
  readonly source: Source;
  readonly subscribe: (listener: () => void) => () => void;
  /** Undefined until it came for the first time. */
  readonly project: () => ProjectState | undefined;
  /** Why the project did not come. */
  readonly trouble: () => string | undefined;
  readonly isConnected: () => boolean;
  readonly isInboxReachable: () => boolean;
  /** Another project's, where this one's would be. */
  readonly otherService: () => OtherService | undefined;
  readonly mails: () => readonly MailSummary[];
  /** They are gone at once, and back where they could not be deleted. */
  readonly deleteMail: (id: string) => Promise<void>;
  readonly deleteAllMails: () => Promise<void>;
  readonly template: (name: string) => Known<TemplateDetail>;
  readonly report: (name: string) => Known<TemplateReport>;
  /** Another text whenever there may be something newer to ask for. */
  readonly versionOf: (name: string) => string;
  /** Ask for what is not known, or known of an older revision. */
  readonly wantTemplate: (name: string) => void;
  readonly wantReport: (name: string) => void;
  /** Hear which templates changed, for saying so. */
  readonly onChanged: (listener: (names: readonly string[]) => void) => () => void;
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** @param first The template that is shown first: it need not wait for the project. */
export const createDataStore = (source: Source, first?: string): DataStore => {
  let project: ProjectState | undefined;
  let trouble: string | undefined;
  let isConnected = true;
  let isInboxReachable = true;
  let otherService: OtherService | undefined;
  let mails: readonly MailSummary[] = [];
  /** How often it was connected: a server that was started again counts revisions anew. */
  let connections = 0;
  /** The connection in which the mails were asked for. */
  let mailsOf: number | undefined;
  /** How often they were asked for. */
  let mailReads = 0;
  const listeners = new Set<() => void>();
  const hearers = new Set<(names: readonly string[]) => void>();
  const tell = () => listeners.forEach((listener) => listener());

  // What was asked for before the connection stood is of the same server.
  const connection = () => Math.max(1, connections);
  const versionOf = (name: string): Version => ({
    connection: connection(),
    revision: project?.templates.find((template) => template.name === name)?.revision ?? 0,
  });
  const templates = createFetched((name: string) => source.template(name), tell);
  const reports = createFetched((name: string) => source.report(name), tell);

  const setProject = (next: ProjectState) => {
    // Whoever shows it does nothing then.
    if (!project || !isSame(project, next)) project = next;
    trouble = undefined;
    tell();
    if (!next.can.seeInbox || mailsOf === connection()) return;
    mailsOf = connection();
    void readMails();
  };

  const setMails = (next: readonly MailSummary[]) => {
    mails = next;
    tell();
  };

  const readMails = async () => {
    const before = mails;
    const read = (mailReads += 1);
    try {
      const listed = await source.mails();
      if (read !== mailReads) return;
      // What came meanwhile may not be listed yet.
      setMails(newestFirst([...mails.filter((mail) => !before.includes(mail)), ...listed]));
    } catch {
      // The inbox tells by an event when it can be reached again.
    }
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
    tell();
    if (renewed.length > 0) hearers.forEach((hearer) => hearer(renewed.map(({ name }) => name)));
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
        tell();
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
        tell();
      },
    });
    if (first !== undefined) templates.want(first, versionOf(first));
    try {
      const asked = await source.project();
      if (!project) setProject(asked);
    } catch (error) {
      trouble = messageOf(error);
      tell();
    }
  };
  // Not within the script's own run: with its tools open, a browser reads all of it again to say who asks.
  queueMicrotask(() => void start());

  return {
    source,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    project: () => project,
    trouble: () => (project ? undefined : trouble),
    isConnected: () => isConnected,
    isInboxReachable: () => isInboxReachable,
    otherService: () => otherService,
    mails: () => mails,
    deleteMail: (id) =>
      withoutMails(
        mails.filter((mail) => mail.id === id),
        () => source.deleteMail(id),
      ),
    deleteAllMails: () => withoutMails(mails, () => source.deleteAllMails()),
    template: templates.known,
    report: reports.known,
    versionOf: (name) => `${connection()} ${versionOf(name).revision}`,
    wantTemplate: (name) => templates.want(name, versionOf(name)),
    wantReport: (name) => reports.want(name, versionOf(name)),
    onChanged: (hearer) => {
      hearers.add(hearer);
      return () => hearers.delete(hearer);
    },
  };
};

/** Of two with the same id, the first. */
const newestFirst = (mails: readonly MailSummary[]): readonly MailSummary[] =>
  [...new Map(mails.toReversed().map((mail) => [mail.id, mail])).values()].sort((a, b) => b.seq - a.seq);

interface Version {
  readonly connection: number;
  readonly revision: number;
}

const isOlder = (one: Version, other: Version) => one.connection !== other.connection || one.revision < other.revision;

interface Fetched<Value> {
  readonly known: (name: string) => Known<Value>;
  readonly want: (name: string, version: Version) => void;
  /** What is known may be old, whatever its version. */
  readonly renew: (name: string) => void;
}

interface Entry<Value> {
  known: Known<Value>;
  wanted: Version;
  isAsked: boolean;
  isRenewed: boolean;
}

const unknown = {};

/** One question about a name at a time: what is wanted meanwhile, the answer may already be. */
const createFetched = <Value extends { readonly revision: number }>(
  get: (name: string) => Promise<Value>,
  tell: () => void,
): Fetched<Value> => {
  const entries = new Map<string, Entry<Value>>();

  const ask = async (name: string, entry: Entry<Value>) => {
    entry.isAsked = true;
    let has: Version;
    do {
      entry.isRenewed = false;
      const { wanted, known } = entry;
      const next: Known<Value> = await get(name).then(
        (value) => ({ value }),
        (error: unknown) => ({ ...known, trouble: messageOf(error) }),
      );
      entry.known = next;
      // The first answer may have been asked for ahead of the project, and be older than it; any other is not.
      const least = known.value || next.trouble !== undefined ? wanted.revision : 0;
      has = { ...wanted, revision: Math.max(least, next.value?.revision ?? 0) };
      tell();
    } while (entry.isRenewed || isOlder(has, entry.wanted));
    entry.wanted = has;
    entry.isAsked = false;
  };

  return {
    known: (name) => entries.get(name)?.known ?? unknown,
    want: (name, wanted) => {
      const entry = entries.get(name) ?? { known: unknown, wanted, isAsked: false, isRenewed: true };
      entries.set(name, entry);
      const isNews = entry.isRenewed || isOlder(entry.wanted, wanted);
      if (isNews) entry.wanted = wanted;
      if (isNews && !entry.isAsked) void ask(name, entry);
    },
    renew: (name) => {
      const entry = entries.get(name);
      if (!entry) return;
      entry.isRenewed = true;
      if (!entry.isAsked) void ask(name, entry);
    },
  };
};
