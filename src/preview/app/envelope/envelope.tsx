import { Info } from "lucide-react";
import { useCommands } from "../palette/commands.js";
import { envelopeClients } from "../state/address.js";
import { useOfProject } from "../state/data.js";
import { changeView, useView } from "../state/view-store.js";
import { classes } from "../ui/classes.js";
import { Select } from "../ui/select.js";
import { Skeleton } from "../ui/skeleton.js";
import { Visible } from "../ui/visible.js";
import { clientLists } from "./clients.js";
import styles from "./envelope.module.css";
import { Line } from "./line.js";
import { useRecipient } from "./use-recipient.js";
import { useShownLines } from "./use-shown-lines.js";

/** From, to, subject and preheader, with marks where the chosen client's list cuts them off. */
export const Envelope = () => {
  const { client } = useView();
  const from = useOfProject((project) => project.from);
  const list = clientLists[client];
  const lines = useShownLines();
  const to = useRecipient();
  useCommands(
    envelopeClients.map((id) => ({
      id: `envelope-${id}`,
      title: `Envelope: ${clientLists[id].name}`,
      group: "View",
      run: () => changeView({ client: id }),
    })),
  );

  return (
    <section aria-label="Envelope" className={styles.envelope}>
      <div className={styles.client}>
        <span aria-hidden className={styles.about}>
          Inbox preview
        </span>
        <Select
          label="Inbox preview of"
          isQuiet
          value={client}
          options={envelopeClients.map((value) => ({ value, label: clientLists[value].name }))}
          onChange={(chosen) => changeView({ client: chosen })}
        />
        <span className={styles.basis} title={list.basis}>
          <Info size={14} role="img" aria-label={list.basis} />
        </span>
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
              <Line cut={lines.subject} missing="No subject: inboxes show “(no subject)”." isStrong />
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
    </section>
  );
};
