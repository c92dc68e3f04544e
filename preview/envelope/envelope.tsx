import { Mails } from "lucide-react";
import { useState } from "react";
import { useCommands } from "../palette/commands.js";
import { envelopeClients } from "../state/address.js";
import { useOfProject } from "../state/data.js";
import { changeView, useView } from "../state/view-store.js";
import { IconButton } from "../ui/button.js";
import { classes } from "../ui/classes.js";
import { Skeleton } from "../ui/skeleton.js";
import { Visible } from "../ui/visible.js";
import { ClientChoice } from "./client-choice.js";
import { clientLists } from "./clients.js";
import styles from "./envelope.module.css";
import { InboxList } from "./inbox-list.js";
import { Line } from "./line.js";
import { useRecipient } from "./use-recipient.js";
import { useShownLines } from "./use-shown-lines.js";

/** Sender, recipient, subject and preheader, with marks where the chosen client's list cuts them off. */
export const Envelope = () => {
  const { client } = useView();
  const from = useOfProject((project) => project.from);
  const list = clientLists[client];
  const lines = useShownLines();
  const to = useRecipient();
  const [isListOpen, setIsListOpen] = useState(false);
  useCommands([
    { id: "inbox-list", title: "Show the inbox list of all templates", group: "View", run: () => setIsListOpen(true) },
    ...envelopeClients.map((id) => ({
      id: `envelope-${id}`,
      title: `Envelope: ${clientLists[id].name}`,
      group: "View",
      run: () => changeView({ client: id }),
    })),
  ]);

  return (
    <section aria-label="Envelope" className={styles.envelope}>
      <div className={styles.client}>
        <span aria-hidden className={styles.about}>
          Inbox preview
        </span>
        <ClientChoice />
        <IconButton icon={Mails} label="Inbox list of all templates" onClick={() => setIsListOpen(true)} />
      </div>
      <dl className={classes(styles.fields, lines?.isOld && styles.old)}>
        <div className={styles.field}>
          <dt>From</dt>
          <dd>
            <span className={styles.text}>
              <Visible text={from} />
            </span>
          </dd>
        </div>
        <div className={classes(styles.field, styles.to)}>
          <dt>To</dt>
          <dd>
            <span className={styles.text}>
              <Visible text={to ?? "\u00a0"} />
            </span>
          </dd>
        </div>
        <div className={classes(styles.field, styles.wide)}>
          <dt>Subject</dt>
          <dd>
            {lines ? (
              <Line cut={lines.subject} missing='No subject: inboxes show "(no subject)".' isStrong />
            ) : (
              <Skeleton width="44%" />
            )}
          </dd>
        </div>
        <div className={classes(styles.field, styles.wide, list.preheader?.lines === 2 && styles.twoLines)}>
          <dt>Preheader</dt>
          <dd>
            {lines ? (
              <Line
                cut={lines.preheader}
                own={lines.words.preheader.length}
                missing="No preheader, and no body text to show instead."
              />
            ) : (
              <Skeleton width="68%" />
            )}
          </dd>
        </div>
      </dl>
      <InboxList isOpen={isListOpen} onClose={() => setIsListOpen(false)} />
    </section>
  );
};
