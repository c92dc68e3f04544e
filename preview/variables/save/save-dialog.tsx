import { type FormEvent, useId, useState } from "react";
import type { SaveFixtureAnswer } from "../../../src/preview/contract.js";
import { fixtureNameProblem } from "../../../src/preview/fixture-name.js";
import { Words } from "../../ui/text.js";
import { useSource } from "../../state/data.js";
import { Button } from "../../ui/button.js";
import { Dialog, focusFirst } from "../../ui/dialog.js";
import { Field, Input } from "../../ui/field.js";
import { notify } from "../../ui/notice.js";
import type { Editing } from "../editing.js";
import { problemInWords } from "../path.js";
import { freeName } from "./free-name.js";
import styles from "./save-dialog.module.css";

/** Asks for a new fixture's name and, before anything is written, for confirmation of the consequences. */
export const SaveDialog = ({
  editing: { detail, fixture, input },
  tried,
  onSaved,
  onClose,
}: {
  readonly editing: Editing;
  /** What overwriting the current fixture would do. Undefined for a new fixture. */
  readonly tried?: SaveFixtureAnswer;
  readonly onSaved: (name: string) => void;
  readonly onClose: () => void;
}) => {
  const source = useSource();
  const form = useId();
  const written = detail.fixtures.filter(({ file }) => file !== undefined).map(({ name }) => name);
  const [name, setName] = useState(() => (tried && fixture ? fixture.name : freeName(fixture?.name, written)));
  const [answer, setAnswer] = useState(tried);
  const [refusal, setRefusal] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);
  const isThere = written.includes(name);
  const problem = isThere ? undefined : fixtureNameProblem(name);
  const isRefused = (answer?.problems.length ?? 0) > 0;

  const save = async (): Promise<void> => {
    setIsBusy(true);
    setRefusal(undefined);
    try {
      const request = { input, overwrite: isThere };
      if (answer === undefined) {
        const first = await source.saveFixture(detail.name, name, { ...request, dryRun: true });
        if (first.problems.length + first.contractChanges.length > 0) return setAnswer(first);
      }
      const { file, isSaved, problems } = await source.saveFixture(detail.name, name, request);
      if (!isSaved) return setAnswer({ file, isSaved, problems, contractChanges: [] });
      notify(`${file} saved`);
      onSaved(name);
      onClose();
    } catch (error) {
      setRefusal(error instanceof Error ? error.message : String(error));
    } finally {
      setIsBusy(false);
    }
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (problem === undefined && !isRefused && !isBusy) void save();
  };
  return (
    <Dialog
      title={tried ? `Save ${name}` : "Save as new fixture"}
      isOpen
      size="narrow"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={form} kind="primary" disabled={problem !== undefined || isRefused || isBusy}>
            {answer && !isRefused ? "Save anyway" : isThere && !tried ? `Overwrite ${name}` : "Save"}
          </Button>
        </>
      }
    >
      <form id={form} className={styles.form} onSubmit={submit}>
        {!tried && (
          <Field
            label="Name"
            {...(problem !== undefined && name !== ""
              ? { error: problem }
              : {
                  hint: isThere
                    ? `Fixture ${name} already exists. Saving replaces it.`
                    : `Saved as fixtures/${name || "…"}.json`,
                })}
          >
            {(control) => (
              <Input
                {...control}
                ref={focusFirst}
                value={name}
                onFocus={(event) => event.target.select()}
                onChange={({ target }) => {
                  setName(target.value);
                  setAnswer(undefined);
                  setRefusal(undefined);
                }}
              />
            )}
          </Field>
        )}
        {refusal !== undefined && (
          <p role="alert" className={styles.refusal}>
            <Words text={refusal} />
          </p>
        )}
        {answer && <Findings answer={answer} />}
      </form>
    </Dialog>
  );
};

const Findings = ({ answer: { problems, contractChanges } }: { readonly answer: SaveFixtureAnswer }) => (
  <div role="alert" className={styles.findings}>
    {problems.length > 0 ? (
      <>
        <p>Not saved: these variables don't fit the template.</p>
        <ul className={styles.list}>
          {problems.map((problem) => (
            <li key={problemInWords(problem)}>{problemInWords(problem)}</li>
          ))}
        </ul>
      </>
    ) : (
      <>
        <p>Saving this changes the template's variables. Applications that send it may need updating:</p>
        <ul className={styles.list}>
          {contractChanges.map((change) => (
            <li key={change}>{change}</li>
          ))}
        </ul>
      </>
    )}
  </div>
);
