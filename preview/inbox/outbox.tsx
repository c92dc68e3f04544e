import { Database, Hourglass, MailOpen, Unplug } from "lucide-react";
import { type ReactNode, useState } from "react";
import {
  LISTED_MESSAGES,
  LISTED_MESSAGES_MAX,
  type OutboxOverview,
  type OutboxQuery,
} from "../../src/preview/contract.js";
import { duration, eventTime, fullTime, relativeTime } from "./format.js";
import { ListAreas } from "./list-areas.js";
import { useListCommands } from "./use-list-commands.js";
import { LoadingRows } from "../panels/rows.js";
import { inGroup, useCommands } from "../palette/commands.js";
import { useOfProject } from "../state/data.js";
import { changeView, useView } from "../state/view-store.js";
import { useIsNarrow } from "../state/window.js";
import { Badge } from "../ui/badge.js";
import { Bar } from "../ui/bar.js";
import { Button } from "../ui/button.js";
import { EmptyState, FirstSteps } from "../ui/empty-state.js";
import { Select } from "../ui/field.js";
import { KeyHint } from "../ui/keys.js";
import { tabPanel, Tabs } from "../ui/tabs.js";
import { MessageText, MiddleCut, Visible } from "../ui/text.js";
import rows from "./mail-list.module.css";
import { MessageList } from "./outbox-list.js";
import { MessageView } from "./outbox-message.js";
import { stateWords } from "./message-states.js";
import { type KnownOutbox, useOutbox } from "./use-outbox.js";
import styles from "./outbox.module.css";

const ALL = "all";

/** What a query filters by, as a string to compare. Without the limit: a longer list begins like a shorter one. */
const filterOf = ({ state, template, target }: OutboxQuery): string => JSON.stringify([state, template, target]);

/** The messages in the mailer's store: how many, why they wait, and each of them. Changes nothing. */
export const Outbox = () => {
  const { messageState: state, messageTemplate: template, messageTarget: target } = useView();
  const [limit, setLimit] = useState(LISTED_MESSAGES);
  const query = { state, template, target, limit };
  const known = useOutbox(query);
  const { outbox, trouble, hasNoStore, isLate } = known;
  if (hasNoStore) return <NoStore />;
  if (!outbox) {
    if (trouble) return <Unreadable trouble={trouble} />;
    return isLate ? <Unreadable trouble={{ message: "The store has not answered yet." }} /> : <LoadingRows />;
  }
  return <Messages known={known} outbox={outbox} query={query} onMore={() => setLimit(limit + LISTED_MESSAGES)} />;
};

const NoStore = () => (
  <FirstSteps
    icon={Database}
    title="No store is named"
    about="Your application's mailer keeps queued messages in its store. Name the store to see them here, with their state and why they wait."
    steps={[
      { what: "A file", line: "LETTERSHOP_STORE=data/mail.db npx templates dev" },
      { what: "A database", line: "LETTERSHOP_STORE=postgres://USER:PASSWORD@HOST/DATABASE npx templates dev" },
    ]}
  >
    <p>The page only reads the store.</p>
  </FirstSteps>
);

type Trouble = NonNullable<KnownOutbox["trouble"]>;

const Unreadable = ({ trouble: { message, hint } }: { readonly trouble: Trouble }) => (
  <div className="page">
    <EmptyState icon={Unplug} title="Couldn't read the outbox">
      <MessageText text={message} /> {hint !== undefined && <MessageText text={hint} />}
      <p>This page tries again by itself.</p>
    </EmptyState>
  </div>
);

const Messages = ({
  known,
  outbox,
  query,
  onMore,
}: {
  readonly known: KnownOutbox;
  readonly outbox: OutboxOverview;
  readonly query: OutboxQuery;
  readonly onMore: () => void;
}) => {
  const { trouble, isLate, query: answered, readAt, templates = [] } = known;
  const { mail } = useView();
  const isMessageAlone = useIsNarrow() && mail !== undefined;
  const { state = ALL, template, target } = query;
  const { counts, messages, hasMore } = outbox;
  // While another filter is being read, the list has messages that don't match it.
  const isOther = answered !== undefined && filterOf(answered) !== filterOf(query);
  const ids = isOther ? [] : messages.map(({ id }) => id);
  useCommands(inGroup("Outbox", useListCommands(ids, "message")));
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const isFiltered = state !== ALL || template !== undefined;
  return (
    <>
      {(trouble || isLate) && <Stale trouble={trouble} readAt={readAt} />}
      {!isMessageAlone && <Overview outbox={outbox} target={target} />}
      {!isMessageAlone && (
        <Bar>
          <Tabs
            base="state"
            label="States"
            tabs={[ALL, ...Object.keys(counts)].map((id) => ({ id, label: id === ALL ? "All" : stateWords(id).label }))}
            value={state}
            onChange={(id) => changeView({ messageState: id === ALL ? undefined : id })}
          >
            {({ id }) => <Count state={id} count={id === ALL ? total : (counts[id] ?? 0)} />}
          </Tabs>
        </Bar>
      )}
      <div {...tabPanel("state", state)} className="fill">
        {total === 0 ? (
          <EmptyState icon={MailOpen} title="The outbox is empty">
            Messages that your application queues appear here.
          </EmptyState>
        ) : (
          <ListAreas
            label="Messages"
            shown={mail !== undefined && <MessageView key={mail} id={mail} known={known} />}
            none={
              <EmptyState icon={MailOpen} title="No message selected">
                Select one from the list, or press <KeyHint keys="j" /> for the next one.
              </EmptyState>
            }
          >
            <TemplateFilter template={template} listed={templates} />
            {isOther ? (
              <LoadingRows />
            ) : (
              <>
                <MessageList messages={messages} hasTargets={target === undefined && outbox.targets.length > 1} />
                {messages.length === 0 && <p className={rows.none}>No matching messages.</p>}
                {messages.length === 0 && isFiltered && (
                  <div className={rows.more}>
                    <Button onClick={() => changeView({ messageState: undefined, messageTemplate: undefined })}>
                      Show all messages
                    </Button>
                  </div>
                )}
                {hasMore && <More limit={query.limit} onMore={onMore} />}
              </>
            )}
          </ListAreas>
        )}
      </div>
    </>
  );
};

const Stale = ({ trouble, readAt }: Pick<KnownOutbox, "trouble" | "readAt">) => {
  const at = new Date(readAt ?? 0).toISOString();
  return (
    <p className={rows.away} role="status">
      {trouble ? <Unplug size={14} aria-hidden /> : <Hourglass size={14} aria-hidden />}
      <span>
        {trouble ? (
          <>
            <MessageText text={trouble.message} /> {trouble.hint !== undefined && <MessageText text={trouble.hint} />}
          </>
        ) : (
          "The store has not answered yet."
        )}{" "}
        This is what it contained at {eventTime(at, new Date().toISOString())}.
      </span>
    </p>
  );
};

const Count = ({ state, count }: { readonly state: string; readonly count: number }) =>
  count > 0 && (
    <Badge tone={state === "parked" || state === "rejected" ? stateWords(state).tone : "neutral"}>
      {count.toLocaleString("en-GB")}
    </Badge>
  );

const Overview = ({ outbox, target }: { readonly outbox: OutboxOverview; readonly target: string | undefined }) => {
  const { store, targets, due, oldestDueMs, problems } = outbox;
  return (
    <section aria-label="Overview" className={styles.overview}>
      <p className={styles.store}>
        <span className={styles.name} title={store}>
          <Database size={16} aria-hidden />
          <MiddleCut text={store} />
        </span>
        <Target targets={targets} target={target} />
      </p>
      {(due > 0 || oldestDueMs !== undefined) && (
        <p>
          {due.toLocaleString("en-GB")} due
          {oldestDueMs !== undefined && `, the oldest for ${duration(oldestDueMs)}`}
        </p>
      )}
      {problems.length > 0 && (
        <ul className={styles.problems} aria-label="Why messages wait, were rejected or are parked" tabIndex={0}>
          {problems.map(({ state, reason, messages, lastAt }, at) => (
            <li key={at} className={styles.problem}>
              <Badge tone={stateWords(state).tone}>
                {messages.toLocaleString("en-GB")} {stateWords(state).label.toLowerCase()}
              </Badge>
              <span className={styles.reason}>
                <Visible text={reason} />
              </span>
              <time dateTime={lastAt} title={fullTime(lastAt)} className="figure">
                {relativeTime(lastAt)}
              </time>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
};

/** The service and domain; a choice if the store has messages for several. */
const Target = ({ targets, target }: { readonly targets: readonly string[]; readonly target: string | undefined }) => {
  const words = (each: string) => each.replace(" ", ", ");
  const [first] = targets;
  if (first === undefined) return null;
  if (targets.length === 1 && target === undefined) return <span className="cut soft">for {words(first)}</span>;
  const all = [...new Set([...targets, ...(target === undefined ? [] : [target])])];
  return (
    <Select
      label="Service and domain"
      isQuiet
      value={target ?? ALL}
      options={[
        { value: ALL, label: "for all services and domains" },
        ...all.map((value) => ({ value, label: words(value) })),
      ]}
      onChange={(value) => changeView({ messageTarget: value === ALL ? undefined : value })}
    />
  );
};

const TemplateFilter = ({
  template,
  listed,
}: Pick<OutboxQuery, "template"> & {
  /** Templates of messages, which the project may not have. */
  readonly listed: readonly string[];
}): ReactNode => {
  const known = useOfProject(({ templates }) => templates);
  const names = new Set([...known.map(({ name }) => name), ...listed, ...(template === undefined ? [] : [template])]);
  return (
    <Bar>
      <Select
        label="Template"
        isQuiet
        value={template ?? ""}
        options={[
          { value: "", label: "All templates" },
          ...[...names].toSorted().map((name) => ({ value: name, label: name })),
        ]}
        onChange={(name) => changeView({ messageTemplate: name === "" ? undefined : name })}
      />
    </Bar>
  );
};

const More = ({ limit, onMore }: { readonly limit: number; readonly onMore: () => void }) =>
  limit < LISTED_MESSAGES_MAX ? (
    <div className={rows.more}>
      <Button onClick={onMore}>Show older messages</Button>
    </div>
  ) : (
    <p className={rows.none}>
      The newest {limit.toLocaleString("en-GB")} are listed. Choose a state or a template, or run{" "}
      <code>npx templates outbox list</code>.
    </p>
  );
