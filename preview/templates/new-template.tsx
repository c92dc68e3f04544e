import { SquareArrowOutUpRight } from "lucide-react";
import { type FormEvent, useEffect, useId, useState } from "react";
import type { NewTemplateAnswer, Starter } from "../../src/preview/contract.js";
import { openEditor, showSource } from "../panels/show.js";
import { Words } from "../ui/text.js";
import { useOfProject, useSource } from "../state/data.js";
import { changeView } from "../state/view-store.js";
import { Button } from "../ui/button.js";
import { CopyLine } from "../ui/copy.js";
import { Dialog, focusFirst } from "../ui/dialog.js";
import { Field, Select } from "../ui/field.js";
import { NameField, useNameProblem } from "./name-field.js";
import { useWhenListed } from "./use-when-listed.js";
import styles from "./templates.module.css";

const engines = [
  { value: "mjml", label: "MJML" },
  { value: "react", label: "React Email" },
  { value: "html", label: "HTML" },
] as const;

/** The dialog for a new template. Afterwards it lists the new files and any packages to install. */
export const NewTemplate = ({ onClose }: { readonly onClose: () => void }) => {
  const source = useSource();
  const form = useId();
  const [starters, setStarters] = useState<readonly Starter[]>([]);
  const [name, setName] = useState("");
  const [engine, setEngine] = useState<Starter["engine"]>("mjml");
  const [starter, setStarter] = useState("");
  const [isTried, setIsTried] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  const [refusal, setRefusal] = useState<string>();
  const [created, setCreated] = useState<NewTemplateAnswer>();
  const problem = useNameProblem(name);
  useEffect(() => {
    source.starters().then(setStarters, () => undefined);
  }, [source]);
  useWhenListed(created && name, () => changeView({ screen: "template", template: name }));
  if (created) return <Created name={name} answer={created} onClose={onClose} />;

  const create = async (): Promise<void> => {
    setIsTried(true);
    if (problem !== undefined || isBusy) return;
    setIsBusy(true);
    setRefusal(undefined);
    try {
      setCreated(await source.createTemplate({ name, engine, ...(starter !== "" && { starter }) }));
    } catch (error) {
      setRefusal(error instanceof Error ? error.message : String(error));
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <Dialog
      title="New template"
      isOpen
      size="narrow"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={form} kind="primary" disabled={isBusy}>
            {isBusy ? "Creating…" : "Create"}
          </Button>
        </>
      }
    >
      <form
        id={form}
        className={styles.form}
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          void create();
        }}
      >
        <NameField
          value={name}
          hint="Applications send it by this name."
          error={name !== "" || isTried ? problem : undefined}
          onChange={setName}
        />
        <Field label="Engine">
          {(control) => (
            <Select
              control={control}
              value={engine}
              options={engines}
              onChange={(chosen) => {
                setEngine(chosen);
                setStarter("");
              }}
            />
          )}
        </Field>
        <Field label="Starter">
          {(control) => (
            <Select
              control={control}
              value={starter}
              options={[
                { value: "", label: "Plain: a greeting and a button" },
                ...starters
                  .filter((each) => each.engine === engine)
                  .map((each) => ({ value: each.name, label: titleOf(each) })),
              ]}
              onChange={setStarter}
            />
          )}
        </Field>
        {refusal !== undefined && (
          <p role="alert" className={styles.refusal}>
            <Words text={refusal} />
          </p>
        )}
      </form>
    </Dialog>
  );
};

/** "Payment failed" */
const titleOf = ({ name }: Starter): string =>
  name.replaceAll("-", " ").replace(/^./, (letter) => letter.toUpperCase());

const Created = ({
  name,
  answer: { files, kept, install },
  onClose,
}: {
  readonly name: string;
  readonly answer: NewTemplateAnswer;
  readonly onClose: () => void;
}) => {
  const canOpen = useOfProject(({ can }) => can.openEditor);
  const source = useSource();
  const [body = ""] = files;
  const show = () => {
    if (canOpen) openEditor(source, { file: body });
    else showSource({ file: body });
    onClose();
  };
  return (
    <Dialog
      title={`${name} created`}
      isOpen
      size="narrow"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Done</Button>
          <Button kind="primary" ref={focusFirst} {...(canOpen && { icon: SquareArrowOutUpRight })} onClick={show}>
            {canOpen ? "Open in editor" : "Show source"}
          </Button>
        </>
      }
    >
      <div role="status" className={styles.form}>
        {install !== undefined && (
          <div className={styles.missing}>
            <p>This template needs packages that aren't installed yet. Run this in the project's folder:</p>
            <CopyLine line={install} what="Command" />
          </div>
        )}
        <div>
          <p>New files:</p>
          <ul className={styles.files}>
            {files.map((file) => (
              <li key={file}>{file}</li>
            ))}
          </ul>
        </div>
        {kept.length > 0 && (
          <div>
            <p>It also uses these existing files, which are unchanged:</p>
            <ul className={styles.files}>
              {kept.map((file) => (
                <li key={file}>{file}</li>
              ))}
            </ul>
          </div>
        )}
      </div>
    </Dialog>
  );
};
