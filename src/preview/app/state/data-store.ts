import type { MailSummary, PreviewEvent, ProjectState, TemplateDetail, TemplateReport } from "../../contract.js";
import type { Source } from "../data/source.js";

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
  readonly mails: () => readonly MailSummary[];
  readonly template: (name: string) => Known<TemplateDetail>;
  readonly report: (name: string) => Known<TemplateReport>;
  /** Ask for what is not known, or known of an older revision. */
  readonly wantTemplate: (name: string) => void;
  readonly wantReport: (name: string) => void;
  /** Hear which templates changed, for saying so. */
  readonly onChanged: (listener: (names: readonly string[]) => void) => () => void;
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

export const createDataStore = (source: Source): DataStore => {
  let project: ProjectState | undefined;
  let trouble: string | undefined;
  let isConnected = true;
  let isInboxReachable = true;
  let mails: readonly MailSummary[] = [];
  /** Grows with every connection: a server that was started again counts revisions anew. */
  let connection = 0;
  const listeners = new Set<() => void>();
  const hearers = new Set<(names: readonly string[]) => void>();
  const tell = () => listeners.forEach((listener) => listener());

  const revisionOf = (name: string) =>
    project?.templates.find((template) => template.name === name)?.revision ?? "none";
  const templates = createFetched((name: string) => source.template(name), tell);
  const reports = createFetched((name: string) => source.report(name), tell);

  const setProject = (next: ProjectState) => {
    project = next;
    trouble = undefined;
    connection += 1;
    tell();
    if (next.can.seeInbox) void readMails();
  };

  const readMails = async () => {
    try {
      mails = await source.mails();
      tell();
    } catch {
      // The inbox tells by an event when it can be reached again.
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
        mails = [event.mail, ...mails.filter(({ id }) => id !== event.mail.id)].sort((a, b) => b.seq - a.seq);
        return tell();
      case "inbox":
        isInboxReachable = event.isReachable;
        tell();
        if (isInboxReachable) void readMails();
        return;
    }
  };

  const start = async () => {
    source.subscribe({
      event: onEvent,
      connection: (isUp) => {
        if (isUp === isConnected) return;
        isConnected = isUp;
        tell();
      },
    });
    try {
      const first = await source.project();
      if (!project) setProject(first);
    } catch (error) {
      trouble = messageOf(error);
      tell();
    }
  };
  void start();

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
    mails: () => mails,
    template: templates.known,
    report: reports.known,
    wantTemplate: (name) => templates.want(name, `${connection}:${revisionOf(name)}`),
    wantReport: (name) => reports.want(name, `${connection}:${revisionOf(name)}`),
    onChanged: (hearer) => {
      hearers.add(hearer);
      return () => hearers.delete(hearer);
    },
  };
};

interface Fetched<Value> {
  readonly known: (name: string) => Known<Value>;
  readonly want: (name: string, version: string) => void;
  /** What is known may be old, whatever its version. */
  readonly renew: (name: string) => void;
}

const unknown = {};

const createFetched = <Value>(get: (name: string) => Promise<Value>, tell: () => void): Fetched<Value> => {
  const entries = new Map<string, { version: string; asked: number; known: Known<Value> }>();

  const ask = async (name: string, version: string) => {
    const before = entries.get(name);
    const asked = (before?.asked ?? 0) + 1;
    entries.set(name, { version, asked, known: before?.known ?? unknown });
    const known = await get(name).then(
      (value) => ({ value }),
      (error: unknown) => ({ ...entries.get(name)?.known, trouble: messageOf(error) }),
    );
    // A later question was asked meanwhile: its answer is the newer one.
    if (entries.get(name)?.asked !== asked) return;
    entries.set(name, { version, asked, known });
    tell();
  };

  return {
    known: (name) => entries.get(name)?.known ?? unknown,
    want: (name, version) => {
      if (entries.get(name)?.version !== version) void ask(name, version);
    },
    renew: (name) => {
      const entry = entries.get(name);
      if (entry) void ask(name, entry.version);
    },
  };
};
