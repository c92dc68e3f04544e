import { Send } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import type { EnvironmentChoice, SendAnswer } from "../../src/preview/contract.js";
import { Words, Visible } from "../ui/text.js";
import { useProject, useSource, useTemplate } from "../state/data.js";
import { useFilled, useInput } from "../state/filled.js";
import { kept } from "../state/kept.js";
import { changeView, useView } from "../state/view-store.js";
import { Button } from "../ui/button.js";
import { Dialog } from "../ui/dialog.js";
import { Field, Input, Select, Toggle } from "../ui/field.js";
import { Answer } from "./answer.js";
import styles from "./send-test.module.css";

/** Sends the email that is shown to a real inbox or to the local one. */
export const SendTest = ({ onClose }: { readonly onClose: () => void }) => {
  const { template = "" } = useView();
  const { environments, templates } = useProject();
  const source = useSource();
  const { detail } = useTemplate();
  const { input, isEdited, fixture } = useInput();
  const { message, trouble } = useFilled();
  const [to, setTo] = useState(kept.read("send-to") ?? "");
  // Not the last environment that was used: a real email must be chosen each time.
  const [name, setName] = useState("local");
  const [isConfirmed, setIsConfirmed] = useState(false);
  const [isTried, setIsTried] = useState(false);
  const [isSending, setIsSending] = useState(false);
  const [answer, setAnswer] = useState<SendAnswer>();
  const field = useRef<HTMLInputElement>(null);
  const first = templates[0]?.name;
  useEffect(() => {
    // The inbox may have been opened before any template was selected.
    if (template === "" && first !== undefined) changeView({ template: first }, "replace");
  }, [template, first]);
  useEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, []);
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
    kept.write("send-to", to.trim());
    const request = { template, input, to: to.trim(), environment: name, ...(needsConfirmation && { isConfirmed }) };
    setAnswer(await source.send(request).catch(inWords));
    setIsSending(false);
  };

  return (
    <Dialog
      title="Send a test"
      isOpen
      size="narrow"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{answer?.outcome === "accepted" ? "Done" : "Cancel"}</Button>
          <Button
            kind="primary"
            icon={Send}
            type="submit"
            form="send-test"
            disabled={isSending || message === undefined || detail?.failure !== undefined}
          >
            {isSending ? "Sending…" : answer?.outcome === "accepted" ? "Send again" : "Send"}
          </Button>
        </>
      }
    >
      <form
        id="send-test"
        noValidate
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        <p className={styles.what}>
          <b>
            <Visible text={message?.subject ?? template} />
          </b>
          <span>
            {template}
            {fixture && ` / ${fixture.name}`}
            {isEdited && ", edited"}
          </span>
        </p>
        <Field label="To" {...(isTried && addressProblem !== undefined && { error: addressProblem })}>
          {(control) => (
            <Input
              {...control}
              ref={field}
              type="email"
              autoComplete="email"
              placeholder="you@example.com"
              value={to}
              onChange={(event) => setTo(event.target.value)}
            />
          )}
        </Field>
        <Field label="Environment" hint={hintOf(environment)}>
          {(control) => (
            <Select control={control} value={name} options={environments.map(optionOf)} onChange={choose} />
          )}
        </Field>
        {needsConfirmation && (
          <Toggle
            label={`Yes, send from ${environment.name} (protected)`}
            isOn={isConfirmed}
            onChange={setIsConfirmed}
          />
        )}
        {isTried && isUnconfirmed && (
          <p role="alert" className={styles.error}>
            {environment.name} is protected: confirm before sending.
          </p>
        )}
        <p className={styles.note}>Sends exactly what you see, filled from your working copy. Nothing is synced.</p>
        {detail?.failure ? (
          <p className={styles.warning}>The template doesn't compile. Fix it before sending.</p>
        ) : (
          message === undefined &&
          trouble !== undefined && (
            <p className={styles.warning}>
              <Words text={trouble} />
            </p>
          )
        )}
        {answer && <Answer answer={answer} onClose={onClose} />}
      </form>
    </Dialog>
  );
};

const troubleOf = (to: string): string | undefined => {
  if (to === "") return "Enter an email address.";
  return /^\S+@\S+$/.test(to) ? undefined : "Enter a valid email address.";
};

const optionOf = ({ name, domain, hasKey }: EnvironmentChoice) => ({
  value: name,
  label: hasKey ? `${name} (${domain})` : `${name} (no key)`,
  isDisabled: !hasKey,
});

const hintOf = (environment: EnvironmentChoice | undefined) =>
  environment === undefined || environment.name === "local"
    ? "The email stays on this machine and shows up in the inbox."
    : `Sends a real email from ${environment.domain}. Its recipient rules apply.`;

const inWords = (error: unknown): SendAnswer => ({
  outcome: "refused",
  message: error instanceof Error ? error.message : String(error),
});
