import { useState } from "react";
import type { RenameAnswer } from "../../src/preview/contract.js";
import { MessageText } from "../ui/text.js";
import { useOfProject, useSource, useSummary } from "../state/data.js";
import { changeView, currentView, useView } from "../state/view-store.js";
import { Button } from "../ui/button.js";
import { CopyLine } from "../ui/copy.js";
import { Dialog, focusFirst, FormDialog, useSubmission } from "../ui/dialog.js";
import { notify } from "../ui/notice.js";
import { moveUnsaved } from "../variables/unsaved.js";
import { FirstField } from "../ui/first-field.js";
import { useNameProblem, useWhenListed } from "./use-template-name.js";
import styles from "./templates.module.css";

/** Renames the selected template. The page then shows it under its new name, with all edits. */
export const RenameTemplate = ({ onClose }: { readonly onClose: () => void }) => {
  const source = useSource();
  const project = useOfProject(({ name }) => name);
  const { template = "" } = useView();
  const [from] = useState(template);
  const [fixtures] = useState(useSummary()?.fixtures ?? []);
  const [to, setTo] = useState(from);
  const { isBusy, refusal, run } = useSubmission();
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

  const rename = (): void => {
    if (to === from) return onClose();
    if (problem === undefined) void run(async () => setRenamed(await source.renameTemplate(from, to)));
  };
  const isUnderWay = isBusy || renamed !== undefined;
  return (
    <FormDialog
      title={`Rename ${from}`}
      submit={{
        label: isUnderWay ? "Renaming…" : "Rename",
        isDisabled: to === from || problem !== undefined || isUnderWay,
      }}
      refusal={refusal}
      onSubmit={rename}
      onClose={onClose}
    >
      <FirstField
        label="Name"
        value={to}
        hint="Applications send the template by this name, so they need the new one too."
        error={to === from || isUnderWay ? undefined : problem}
        onChange={setTo}
      />
      <p className={styles.note}>
        Its files move with it. Other files that import them do not change; if one no longer compiles, its problems say
        so.
      </p>
    </FormDialog>
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
        <MessageText text={obstacle} />
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
