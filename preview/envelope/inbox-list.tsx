import { envelopeClients } from "../state/view.js";
import { useMemo } from "react";
import { Info } from "lucide-react";
import type { TemplateDetail, TemplateSummary } from "../../src/preview/contract.js";
import { useOfProject, useTemplate } from "../state/data.js";
import { changeView, useView, linkTo } from "../state/view-store.js";
import { classes } from "../ui/classes.js";
import { Dialog } from "../ui/dialog.js";
import { fillOnce } from "../variables/completed.js";
import { clientLists, firstWordsOf, type LineRoom } from "./list-text.js";
import { Select } from "../ui/field.js";
import styles from "./envelope.module.css";

interface Row {
  readonly template: string;
  readonly fixture?: string;
  readonly subject: string;
  readonly snippet: string;
}

/** Every template as a row of the chosen client's inbox; the current template with each of its fixtures. */
export const InboxList = ({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }) => (
  <Dialog title="Inbox list" size="wide" isOpen={isOpen} onClose={onClose}>
    <div className={styles.listClient}>
      <ClientChoice />
    </div>
    <Rows onClose={onClose} />
  </Dialog>
);

const Rows = ({ onClose }: { readonly onClose: () => void }) => {
  const { client } = useView();
  const { detail } = useTemplate();
  const templates = useOfProject((project) => project.templates);
  const from = useOfProject((project) => project.from);
  const rows = useMemo(() => templates.flatMap((summary) => rowsOf(summary, detail)), [templates, detail]);
  const { name, subject, preheader } = clientLists[client];
  return (
    <ul aria-label={`${name}, ${rows.length} emails`} tabIndex={0}>
      {rows.map((row) => {
        const view = { screen: "template", template: row.template, fixture: row.fixture } as const;
        return (
          <li key={`${row.template} ${row.fixture}`}>
            <a {...linkTo(view, onClose)} className={styles.row}>
              <span className={styles.head}>
                <span className={styles.sender}>{from}</span>
                <span className="cut small">{[row.template, row.fixture].filter(Boolean).join(" · ")}</span>
              </span>
              <span className={styles.line} style={styleOf(subject)}>
                <span>{row.subject || "(no subject)"}</span>
                {!preheader && <span className="soft"> – {row.snippet}</span>}
              </span>
              {preheader && (
                <span
                  className={classes(styles.line, preheader.lines > 1 && styles.several)}
                  style={styleOf(preheader)}
                >
                  <span className="soft">{row.snippet}</span>
                </span>
              )}
            </a>
          </li>
        );
      })}
    </ul>
  );
};

function rowsOf({ name, state, subject, preheader }: TemplateSummary, detail: TemplateDetail | undefined): Row[] {
  const { compiled, fixtures = [] } = detail?.name === name ? detail : {};
  if (compiled && fixtures.length > 1) {
    return fixtures.flatMap((fixture) => {
      const { value: message } = fillOnce(compiled, fixture.variables);
      if (!message) return [];
      const words = firstWordsOf(message.html);
      const snippet = [words.preheader, words.rest].filter(Boolean).join(" ");
      return [{ template: name, fixture: fixture.name, subject: message.subject, snippet }];
    });
  }
  return state === "pending" ? [] : [{ template: name, subject, snippet: preheader }];
}

/** As wide as a line in the client, which cuts off text that does not fit. */
const styleOf = ({ width, font, lines }: LineRoom) => ({ width, font, WebkitLineClamp: lines });

/** Chooses the client whose list is imitated. A tooltip explains the widths. */
export const ClientChoice = () => {
  const { client } = useView();
  const { basis } = clientLists[client];
  return (
    <>
      <Select
        label="Inbox preview of"
        isQuiet
        value={client}
        options={envelopeClients.map((value) => ({ value, label: clientLists[value].name }))}
        onChange={(chosen) => changeView({ client: chosen })}
      />
      <span className={styles.basis} title={basis}>
        <Info size={14} role="img" aria-label={basis} />
      </span>
    </>
  );
};
