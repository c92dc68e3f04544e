import { CircleAlert, CircleCheck, CircleHelp, Send } from "lucide-react";
import { useEffect, useState } from "react";
import type { EnvironmentChoice, SendAnswer } from "../../src/preview/contract.js";
import { MessageText, Visible } from "../ui/text.js";
import { useProject, useSource, useTemplate } from "../state/data.js";
import { useFilled, useInput } from "../variables/filled.js";
import { preferences } from "../state/stores.js";
import { changeView, folderView, linkTo, useView } from "../state/view-store.js";
import { FormDialog } from "../ui/dialog.js";
import { Field, Select, Toggle } from "../ui/field.js";
import { FirstField } from "../ui/first-field.js";
import { messageOf } from "../data/source.js";
import styles from "./send-test.module.css";

/** Sends the email that is shown to a real inbox or to the local one. */
export const SendTest = ({ onClose }: { readonly onClose: () => void }) => {
  const { template = "" } = useView();
  const { environments, templates } = useProject();
  const source = useSource();
  const { detail } = useTemplate();
  const { input, isEdited, fixture } = useInput();
  const { message, trouble } = useFilled();
  const [to, setTo] = useState(preferences.read("send-to") ?? "");
  // Not the last environment that was used: a real email must be chosen each time.
  const [name, setName] = useState("local");
  const [isConfirmed, setIsConfirmed] = useState(false);
  const [isTried, setIsTried] = useState(false);
  const [isSending, setIsSending] = useState(false);
  const [answer, setAnswer] = useState<SendAnswer>();
  const first = templates[0]?.name;
  useEffect(() => {
    // The inbox may have been opened before any template was selected.
    if (template === "" && first !== undefined) changeView({ template: first }, "replace");
  }, [template, first]);
  const environment = environments.find((each) => each.name === name);
  const needsConfirmation = environment?.isProtected === true;
  const addressProblem = troubleOf(to.trim());
  const isUnconfirmed = needsConfirmation && !isConfirmed;

  const choose = (next: string) => {
    setName(next);
    setIsConfirmed(false);
    setAnswer(undefined);
  };

  const send = async () => {
    setIsTried(true);
    if (addressProblem !== undefined || isUnconfirmed || isSending) return;
    setIsSending(true);
    setAnswer(undefined);
    preferences.write("send-to", to.trim());
    const request = { template, input, to: to.trim(), environment: name, ...(needsConfirmation && { isConfirmed }) };
    setAnswer(await source.send(request).catch(inWords));
    setIsSending(false);
  };

  const isAccepted = answer?.outcome === "accepted";
  return (
    <FormDialog
      title="Send a test"
      cancel={isAccepted ? "Done" : "Cancel"}
      submit={{
        label: isSending ? "Sending…" : isAccepted ? "Send again" : "Send",
        icon: Send,
        isDisabled: isSending || message === undefined || detail?.failure !== undefined,
      }}
      onSubmit={() => void send()}
      onClose={onClose}
    >
      <p className={styles.what}>
        <b className={styles.subject}>
          <Visible text={message?.subject ?? template} />
        </b>
        <span className="soft">
          {template}
          {fixture && ` / ${fixture.name}`}
          {isEdited && ", edited"}
        </span>
      </p>
      <FirstField
        label="To"
        error={isTried ? addressProblem : undefined}
        type="email"
        autoComplete="email"
        placeholder="you@example.com"
        value={to}
        onChange={setTo}
      />
      <Field label="Environment" hint={hintOf(environment)}>
        {(control) => <Select control={control} value={name} options={environments.map(optionOf)} onChange={choose} />}
      </Field>
      {needsConfirmation && (
        <Toggle label={`Yes, send from ${environment.name} (protected)`} isOn={isConfirmed} onChange={setIsConfirmed} />
      )}
      {isTried && isUnconfirmed && (
        <p role="alert" className={styles.error}>
          {environment.name} is protected: confirm before sending.
        </p>
      )}
      <p className="soft">Sends exactly what you see, filled from your working copy. Nothing is synced.</p>
      {detail?.failure ? (
        <p className={styles.warning}>The template doesn't compile. Fix it before sending.</p>
      ) : (
        message === undefined &&
        trouble !== undefined && (
          <p className={styles.warning}>
            <MessageText text={trouble} />
          </p>
        )
      )}
      {answer && <Answer answer={answer} onClose={onClose} />}
    </FormDialog>
  );
};

const troubleOf = (to: string): string | undefined => {
  if (to === "") return "Enter an email address.";
  return /^\S+@\S+$/.test(to) ? undefined : "Enter a valid email address.";
};

const optionOf = ({ name, domain, canSend }: EnvironmentChoice) => ({
  value: name,
  label: canSend ? `${name} (${domain})` : `${name} (not set up)`,
  isDisabled: !canSend,
});

const hintOf = (environment: EnvironmentChoice | undefined) =>
  environment === undefined || environment.name === "local"
    ? "The email stays on this machine and shows up in the inbox."
    : `Sends a real email from ${environment.domain}. Its recipient rules apply.`;

const inWords = (error: unknown): SendAnswer => ({
  outcome: "refused",
  message: messageOf(error),
});

/** The result of the test. */
const Answer = ({ answer, onClose }: { readonly answer: SendAnswer; readonly onClose: () => void }) => {
  if (answer.outcome === "accepted")
    return (
      <div role="status" data-tone="good" className={styles.answer}>
        <CircleCheck size={16} aria-hidden />
        <p>
          Accepted by {answer.environment}.{" "}
          {answer.environment === "local" && (
            <a {...linkTo({ ...folderView("sent"), mail: answer.id }, onClose)}>Show in inbox</a>
          )}
        </p>
      </div>
    );
  const [Icon, tone] = answer.outcome === "unknown" ? [CircleHelp, "warning"] : [CircleAlert, "error"];
  return (
    <div role="alert" data-tone={tone} className={styles.answer}>
      <Icon size={16} aria-hidden />
      <div>
        <p className={styles.message}>
          <MessageText text={answer.message} />
        </p>
        {answer.hint !== undefined && (
          <p>
            <MessageText text={answer.hint} />
          </p>
        )}
      </div>
    </div>
  );
};
