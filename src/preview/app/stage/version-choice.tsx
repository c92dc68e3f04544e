import { useProject } from "../state/data.js";
import type { Pane } from "../state/view.js";
import { Field } from "../ui/field.js";
import { Select } from "../ui/select.js";

const OWN = "";

/** The version of the email: the project's own, or what an environment has. */
export function VersionChoice({
  pane: { deployedTo = OWN },
  onChange,
}: {
  readonly pane: Pane;
  readonly onChange: (change: Partial<Pane>) => void;
}) {
  const { can, environments } = useProject();
  if (!can.seeRemote) return null;
  return (
    <Field label="Version">
      {(control) => (
        <Select
          control={control}
          value={deployedTo}
          options={[
            { value: OWN, label: "This project" },
            ...environments.map(({ name, hasKey }) => ({
              value: name,
              label: hasKey ? `Deployed to ${name}` : `Deployed to ${name} (no key)`,
              isDisabled: !hasKey,
            })),
          ]}
          onChange={(name) => onChange({ deployedTo: name === OWN ? undefined : name })}
        />
      )}
    </Field>
  );
}
