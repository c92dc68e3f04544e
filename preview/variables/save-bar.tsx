import { RotateCcw, Undo2 } from "lucide-react";
import { type RefObject, useEffect, useState } from "react";
import type { SaveFixtureAnswer, SaveFixtureRequest } from "../../src/preview/contract.js";
import type { Source } from "../data/source.js";
import { inGroup, useCommands } from "../palette/commands.js";
import { counted } from "../state/counts.js";
import { useSource } from "../state/data.js";
import { changeView } from "../state/view-store.js";
import { Button, IconButton } from "../ui/button.js";
import { notify, notifyError } from "../ui/notice.js";
import type { Editing } from "./editing.js";
import styles from "./panel.module.css";
import { unsaved } from "./unsaved.js";
import { fixtureNameProblem } from "../../src/preview/fixture-name.js";
import { FormDialog, useSubmission } from "../ui/dialog.js";
import { FirstField } from "../ui/first-field.js";
import { problemText } from "./path.js";
import { freeName } from "./input.js";

/** Whether there are changes to save, and the actions to do so. */
export const SaveBar = ({
  editing,
  isJson,
  fields,
}: {
  readonly editing: Editing;
  readonly isJson: boolean;
  /** The element with the fields that are edited. */
  readonly fields: RefObject<HTMLElement | null>;
}) => {
  const { detail, fixture, input, isEdited, canSave, draft, key, undo, reset } = editing;
  const source = useSource();
  const [asking, setAsking] = useState<Pick<SaveDialogProps, "tried">>();
  const [isBusy, setIsBusy] = useState(false);
  const [savedAs, setSavedAs] = useState<string>();
  const isThere = savedAs !== undefined && detail.fixtures.some(({ name }) => name === savedAs);
  useEffect(() => {
    if (!isThere) return;
    // The edits belong to the new fixture now.
    unsaved.set(key, undefined);
    keepingFocus(fields.current, () => changeView({ fixture: savedAs, edited: undefined }, "replace"));
    setSavedAs(undefined);
  }, [isThere, savedAs, key, fields]);
  const isWhole = draft?.problem === undefined;
  const isUnsaved = isEdited || fixture?.isMadeUp === true;
  const canSaveOver = canSave && isWhole && isUnsaved && fixture?.file !== undefined && !isBusy;

  const save = async (): Promise<void> => {
    if (!fixture || !canSaveOver) return;
    setIsBusy(true);
    try {
      const tried = await saveFixture(source, detail.name, fixture.name, { input, overwrite: true });
      if (!tried.isSaved) setAsking({ tried });
    } catch (error) {
      notifyError(error);
    } finally {
      setIsBusy(false);
    }
  };
  const openNameDialog = (): void => {
    if (canSave && isWhole) setAsking({});
  };
  useCommands(
    inGroup("Variables", [
      canSave && { id: "fixture-save", title: "Save the fixture", keys: "mod+s", run: () => void save() },
      canSave && { id: "fixture-save-new", title: "Save as new fixture…", keys: "mod+shift+s", run: openNameDialog },
    ]),
  );
  return (
    <footer className={styles.foot}>
      <span className={styles.state}>{stateOf(editing)}</span>
      <span className={styles.buttons}>
        {!isJson && (
          <IconButton icon={Undo2} label="Undo" keys="mod+z" disabled={!undo || !isWhole} onClick={() => undo?.()} />
        )}
        <IconButton icon={RotateCcw} label="Reset" disabled={!isEdited && isWhole} onClick={reset} />
        {canSave && (
          <>
            <Button title="Save as new fixture…" disabled={!isWhole} onClick={openNameDialog}>
              Save as…
            </Button>
            <Button kind="primary" disabled={!canSaveOver} onClick={() => void save()}>
              Save
            </Button>
          </>
        )}
      </span>
      {asking && <SaveDialog {...asking} editing={editing} onSaved={setSavedAs} onClose={() => setAsking(undefined)} />}
    </footer>
  );
};

function stateOf({ draft, isEdited, problems, fixture, canSave }: Editing): string {
  if (draft?.problem) return "Invalid JSON";
  if (problems.length > 0) return counted(problems.length, "problem");
  if (isEdited) return canSave ? "Not saved" : "Edited";
  if (fixture?.isMadeUp) return "Made up";
  return fixture === undefined ? "No fixture" : "";
}

/**
 * Makes a change that renders the fields again, such as switching to another fixture, and then focuses the same field.
 *
 * @param fields The element that contains the fields before and after.
 */
function keepingFocus(fields: HTMLElement | null, change: () => void): void {
  const at = controlsIn(fields).findIndex((control) => control === document.activeElement);
  change();
  if (at < 0) return;
  // Waits until they are rendered.
  requestAnimationFrame(() => {
    if (document.activeElement === document.body) controlsIn(fields)[at]?.focus();
  });
}

export function controlsIn(fields: HTMLElement | null): HTMLElement[] {
  return [...(fields?.querySelectorAll<HTMLElement>(".cm-content, input, textarea, select, button") ?? [])];
}

/** Saves a fixture. Without confirmation, only if that does not change the template's variables. */
async function saveFixture(
  source: Source,
  template: string,
  name: string,
  request: SaveFixtureRequest,
  isConfirmed = false,
): Promise<SaveFixtureAnswer> {
  if (!isConfirmed) {
    const tried = await source.saveFixture(template, name, { ...request, dryRun: true });
    if (tried.problems.length + tried.contractChanges.length > 0) return tried;
  }
  const answer = await source.saveFixture(template, name, request);
  if (answer.isSaved) notify(`${answer.file} saved`);
  return answer;
}

interface SaveDialogProps {
  readonly editing: Editing;
  /** What overwriting the current fixture would do. Undefined for a new fixture. */
  readonly tried?: SaveFixtureAnswer;
  readonly onSaved: (name: string) => void;
  readonly onClose: () => void;
}

/** Asks for a new fixture's name and, before anything is written, for confirmation of the consequences. */
const SaveDialog = ({ editing: { detail, fixture, input }, tried, onSaved, onClose }: SaveDialogProps) => {
  const source = useSource();
  const written = detail.fixtures.filter(({ file }) => file !== undefined).map(({ name }) => name);
  const [name, setName] = useState(() => (tried && fixture ? fixture.name : freeName(fixture?.name, written)));
  const [answer, setAnswer] = useState(tried);
  const { isBusy, refusal, run, forget } = useSubmission();
  const isThere = written.includes(name);
  const problem = isThere ? undefined : fixtureNameProblem(name);
  const isRefused = (answer?.problems.length ?? 0) > 0;

  const save = async (): Promise<void> => {
    const next = await saveFixture(source, detail.name, name, { input, overwrite: isThere }, answer !== undefined);
    if (!next.isSaved) return setAnswer(next);
    onSaved(name);
    onClose();
  };
  return (
    <FormDialog
      title={tried ? `Save ${name}` : "Save as new fixture"}
      submit={{
        label: answer && !isRefused ? "Save anyway" : isThere && !tried ? `Overwrite ${name}` : "Save",
        isDisabled: problem !== undefined || isRefused || isBusy,
      }}
      refusal={refusal}
      onSubmit={() => problem === undefined && !isRefused && void run(save)}
      onClose={onClose}
    >
      {!tried && (
        <FirstField
          label="Name"
          hint={
            isThere ? `Fixture ${name} already exists. Saving replaces it.` : `Saved as fixtures/${name || "…"}.json`
          }
          error={name === "" ? undefined : problem}
          value={name}
          onChange={(next) => {
            setName(next);
            setAnswer(undefined);
            forget();
          }}
        />
      )}
      {answer && <Findings answer={answer} />}
    </FormDialog>
  );
};

const Findings = ({ answer: { problems, contractChanges } }: { readonly answer: SaveFixtureAnswer }) => (
  <div role="alert" className={styles.findings}>
    <p>
      {problems.length > 0
        ? "Not saved: these variables don't fit the template."
        : "Saving this changes the template's variables. Applications that send it may need updating:"}
    </p>
    <ul className={styles.list}>
      {(problems.length > 0 ? problems.map(problemText) : contractChanges).map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  </div>
);
