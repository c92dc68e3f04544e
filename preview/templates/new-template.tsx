import { SquareArrowOutUpRight } from "lucide-react";
import { useEffect, useState } from "react";
import type { NewTemplateAnswer, Starter } from "../../src/preview/contract.js";
import { openEditor, showSource } from "../panels/show.js";
import { useOfProject, useSource } from "../state/data.js";
import { changeView } from "../state/view-store.js";
import { Button } from "../ui/button.js";
import { CopyLine } from "../ui/copy.js";
import { Dialog, focusFirst, FormDialog, useSubmission } from "../ui/dialog.js";
import { Field, Select } from "../ui/field.js";
import { FirstField } from "../ui/first-field.js";
import { useNameProblem, useWhenListed } from "./use-template-name.js";
import styles from "./templates.module.css";

const engines = [
  { value: "mjml", label: "MJML" },
  { value: "react", label: "React Email" },
  { value: "html", label: "HTML" },
] as const;

/** The dialog for a new template. Afterwards it lists the new files and any packages to install. */
export const NewTemplateDialog = ({ onClose }: { readonly onClose: () => void }) => {
  const source = useSource();
  const [starters, setStarters] = useState<readonly Starter[]>([]);
  const [name, setName] = useState("");
  const [engine, setEngine] = useState<Starter["engine"]>("mjml");
  const [starter, setStarter] = useState("");
  const [isTried, setIsTried] = useState(false);
  const { isBusy, refusal, run } = useSubmission();
  const [created, setCreated] = useState<NewTemplateAnswer>();
  const problem = useNameProblem(name);
  useEffect(() => {
    source.starters().then(setStarters, () => undefined);
  }, [source]);
  useWhenListed(created && name, () => changeView({ screen: "template", template: name }));
  if (created) return <Created name={name} answer={created} onClose={onClose} />;

  const create = (): void => {
    setIsTried(true);
    if (problem !== undefined) return;
    void run(async () => setCreated(await source.createTemplate({ name, engine, ...(starter !== "" && { starter }) })));
  };
  return (
    <FormDialog
      title="New template"
      submit={{ label: isBusy ? "Creating…" : "Create", isDisabled: isBusy }}
      refusal={refusal}
      onSubmit={create}
      onClose={onClose}
    >
      <FirstField
        label="Name"
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
    </FormDialog>
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
        <Files title="New files:" files={files} />
        {kept.length > 0 && <Files title="It also uses these existing files, which are unchanged:" files={kept} />}
      </div>
    </Dialog>
  );
};

const Files = ({ title, files }: { readonly title: string; readonly files: readonly string[] }) => (
  <div>
    <p>{title}</p>
    <ul className={styles.files}>
      {files.map((file) => (
        <li key={file}>{file}</li>
      ))}
    </ul>
  </div>
);
