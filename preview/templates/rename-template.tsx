import { type FormEvent, useId, useState } from "react";
import type { RenameAnswer } from "../../src/preview/contract.js";
import { Words } from "../ui/text.js";
import { useOfProject, useSource, useSummary } from "../state/data.js";
import { changeView, currentView, useView } from "../state/view-store.js";
import { Button } from "../ui/button.js";
import { CopyLine } from "../ui/copy.js";
import { Dialog, focusFirst } from "../ui/dialog.js";
import { notify } from "../ui/notice.js";
import { moveUnsaved } from "../variables/unsaved.js";
import { NameField, useNameProblem } from "./name-field.js";
import { useWhenListed } from "./use-when-listed.js";
import styles from "./templates.module.css";

/** Renames the selected template. The page then shows it under its new name, with all edits. */
export const RenameTemplate = ({ onClose }: { readonly onClose: () => void }) => {
  const source = useSource();
  const form = useId();
  const project = useOfProject(({ name }) => name);
  const { template = "" } = useView();
  const [from] = useState(template);
  const [fixtures] = useState(useSummary()?.fixtures ?? []);
  const [to, setTo] = useState(from);
  const [isBusy, setIsBusy] = useState(false);
  const [refusal, setRefusal] = useState<string>();
  const [renamed, setRenamed] = useState<RenameAnswer>();
  const problem = useNameProblem(to);
  useWhenListed(renamed && to, () => {
    moveUnsaved(project, { from, to, fixtures });
    const { fixture, panes, edited } = currentView();
    // Back would lead to a template that no longer exists.
    changeView({ template: to, fixture, panes, edited }, "replace");
    if (renamed?.formerName.obstacle !== undefined) return;
    notify(`Renamed to ${to}. Its template.json records the former name for sync.`);
    onClose();
  });
  if (renamed?.formerName.obstacle !== undefined)
    return <NotRecorded names={{ from, to }} formerName={renamed.formerName} onClose={onClose} />;

  const rename = async (): Promise<void> => {
    if (to === from) return onClose();
    if (problem !== undefined || isBusy) return;
    setIsBusy(true);
    setRefusal(undefined);
    try {
      setRenamed(await source.renameTemplate(from, to));
    } catch (error) {
      setRefusal(error instanceof Error ? error.message : String(error));
      setIsBusy(false);
    }
  };
  return (
    <Dialog
      title={`Rename ${from}`}
      isOpen
      size="narrow"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={form} kind="primary" disabled={to === from || problem !== undefined || isBusy}>
            {isBusy ? "Renaming…" : "Rename"}
          </Button>
        </>
      }
    >
      <form
        id={form}
        className={styles.form}
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          void rename();
        }}
      >
        <NameField
          value={to}
          hint="Applications send the template by this name, so they need the new one too."
          error={to === from || isBusy ? undefined : problem}
          onChange={setTo}
        />
        <p className={styles.note}>
          Its files move with it. Other files that import them do not change; if one no longer compiles, its problems
          say so.
        </p>
        {refusal !== undefined && (
          <p role="alert" className={styles.refusal}>
            <Words text={refusal} />
          </p>
        )}
      </form>
    </Dialog>
  );
};

const NotRecorded = ({
  names: { from, to },
  formerName: { file, line, obstacle = "" },
  onClose,
}: {
  readonly names: { readonly from: string; readonly to: string };
  readonly formerName: RenameAnswer["formerName"];
  readonly onClose: () => void;
}) => (
  <Dialog
    title={`Renamed to ${to}`}
    isOpen
    size="narrow"
    onClose={onClose}
    footer={
      <Button kind="primary" ref={focusFirst} onClick={onClose}>
        Done
      </Button>
    }
  >
    <div role="status" className={styles.form}>
      <p>
        <Words text={obstacle} />
      </p>
      <div className={styles.missing}>
        <p>
          If {from} is deployed, <code>{file}</code> needs this line so that sync recognizes the template:
        </p>
        <CopyLine line={line} what="Line" />
      </div>
    </div>
  </Dialog>
);
