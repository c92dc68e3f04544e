import { useProject, useReport, useSource } from "../state/data.js";
import type { Pane } from "../state/view.js";
import { Field } from "../ui/field.js";
import { Select, type SelectOption } from "../ui/select.js";

interface Props {
  readonly pane: Pane;
  readonly onChange: (change: Partial<Pane>) => void;
}

/** The version of the email, the project's own or an environment's, and the client that takes it. */
export function VersionChoice({ pane, onChange }: Props) {
  const { can, environments } = useProject();
  const { isCopy } = useSource();
  const { clients: { clients } = { clients: [] } } = useReport() ?? {};
  const deployed = environments.map(({ name, hasKey }) => ({
    value: name,
    label: hasKey ? `Deployed to ${name}` : `Deployed to ${name} (no key)`,
    isDisabled: !hasKey,
  }));
  return (
    <>
      {can.seeRemote && (
        <Choice
          label="Version"
          usual="This project"
          value={pane.deployedTo}
          options={deployed}
          onChange={(deployedTo) => onChange({ deployedTo })}
        />
      )}
      {!isCopy && (
        <Choice
          label="As a mail client shows it"
          usual="As a browser shows it"
          value={pane.client}
          options={clients.map(({ id, name }) => ({ value: id, label: name }))}
          onChange={(client) => onChange({ client })}
        />
      )}
    </>
  );
}

const USUAL = "";

function Choice({
  label,
  usual,
  value = USUAL,
  options,
  onChange,
}: {
  readonly label: string;
  readonly usual: string;
  readonly value: string | undefined;
  readonly options: readonly SelectOption<string>[];
  readonly onChange: (value: string | undefined) => void;
}) {
  return (
    <Field label={label}>
      {(control) => (
        <Select
          control={control}
          value={value}
          options={[{ value: USUAL, label: usual }, ...options]}
          onChange={(chosen) => onChange(chosen === USUAL ? undefined : chosen)}
        />
      )}
    </Field>
  );
}
