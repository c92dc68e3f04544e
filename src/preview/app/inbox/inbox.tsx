import { ArrowLeft } from "lucide-react";
import { useState } from "react";
import { Group, Panel, Separator } from "react-resizable-panels";
import { useKeptSize } from "../shell/use-kept-size.js";
import { useIsNarrow } from "../shell/use-narrow.js";
import { useIsInboxReachable, useMails } from "../state/data.js";
import { changeView, useView } from "../state/view-store.js";
import { Bar } from "../ui/bar.js";
import { Button } from "../ui/button.js";
import styles from "./inbox.module.css";
import { MailList } from "./mail-list.js";
import { MailView } from "./mail-view.js";
import { NoMail, NothingChosen } from "./no-mail.js";
import { useInboxCommands } from "./use-inbox-commands.js";

/** What the local service captured: the list, and the mail that is read. */
export const Inbox = () => {
  const { mail } = useView();
  const mails = useMails();
  const isReachable = useIsInboxReachable();
  const list = useKeptSize("inbox", 344);
  const [query, setQuery] = useState("");
  const found = mails.filter((each) => matches(each, query));
  useInboxCommands(found);
  const isNarrow = useIsNarrow();
  if (mails.length === 0) return <NoMail isReachable={isReachable} />;

  const all = (
    <section aria-label="Emails" className={styles.list}>
      <MailList mails={found} query={query} total={mails.length} isReachable={isReachable} onQuery={setQuery} />
    </section>
  );
  if (isNarrow) return mail === undefined ? all : <MailAlone id={mail} />;
  return (
    <Group className={styles.areas} onLayoutChanged={(_, { isUserInteraction }) => isUserInteraction && list.keep()}>
      <Panel
        id="mails"
        panelRef={list.panelRef}
        defaultSize={list.defaultSize}
        minSize={248}
        maxSize={560}
        groupResizeBehavior="preserve-pixel-size"
      >
        {all}
      </Panel>
      <Separator className={styles.upright} aria-label="Email list width" />
      <Panel id="mail" minSize={320}>
        {mail === undefined ? <NothingChosen /> : <MailView key={mail} id={mail} />}
      </Panel>
    </Group>
  );
};

/** Where there is no room for the list beside it. */
const MailAlone = ({ id }: { readonly id: string }) => (
  <div className={styles.alone}>
    <Bar>
      <Button kind="quiet" icon={ArrowLeft} onClick={() => changeView({ mail: undefined })}>
        All emails
      </Button>
    </Bar>
    <div className={styles.mail}>
      <MailView key={id} id={id} />
    </div>
  </div>
);

const matches = ({ from, to, subject }: { from: string; to: readonly string[]; subject: string }, query: string) => {
  const text = [from, ...to, subject].join("\n").toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
};
