import type { ReactNode } from "react";
import { changeView } from "../state/view-store.js";
import { Button } from "../ui/button.js";
import { classes } from "../ui/classes.js";
import { drafts } from "./drafts.js";
import type { Editing } from "./editing.js";
import styles from "./panel.module.css";

/** Notes on why the email may not show these variables. */
export const Notes = ({ editing, isJson }: { readonly editing: Editing; readonly isJson: boolean }) => {
  const { draft, fixture, isOutdated, problems, key } = editing;
  // Problems of a single variable are shown at its field.
  const whole = problems.filter(({ path }) => path.length === 0);
  return (
    <>
      {draft?.problem && isJson && <Note tone="warning" words="The email shows the last valid JSON." />}
      {draft?.problem && !isJson && (
        <Note tone="error" words={jsonProblem(draft.problem)}>
          <Button onClick={() => changeView({ right: "json" })}>Fix the JSON</Button>
          <Button kind="quiet" onClick={() => drafts.set(key, undefined)}>
            Discard it
          </Button>
        </Note>
      )}
      {fixture?.isMadeUp && (
        <Note
          tone="warning"
          words={`This template has no fixture, so these values are made up. Enter real ones and save them as ${fixture.file}.`}
        />
      )}
      {!isJson && whole.map(({ message }) => <Note key={message} tone="error" words={message} />)}
      {isOutdated && (
        <Note
          tone="warning"
          words={`${fixture?.name} changed on disk after you started editing. Saving overwrites that change.`}
        >
          <Button onClick={editing.reset}>Use the version on disk</Button>
        </Note>
      )}
    </>
  );
};

export const Note = ({
  tone,
  words,
  children,
}: {
  readonly tone: "error" | "warning";
  readonly words: string;
  readonly children?: ReactNode;
}) => (
  <div role="status" className={classes(styles.note, styles[tone])}>
    <p>{words}</p>
    {children && <span className={styles.buttons}>{children}</span>}
  </div>
);

function jsonProblem({ line, column, message }: NonNullable<NonNullable<Editing["draft"]>["problem"]>): string {
  return `The JSON isn't valid: line ${line}, column ${column}: ${message} The email shows the last valid JSON.`;
}
