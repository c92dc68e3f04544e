import { nameProblem } from "../../src/project/template-name.js";
import { useLayoutEffect } from "react";
import { useOfProject } from "../state/data.js";
import { focusFirst } from "../ui/dialog.js";
import { Field, TextInput } from "../ui/field.js";

/** Why a template can't have this name. Undefined if it can. */
export const useNameProblem = (name: string): string | undefined => {
  const isTaken = useOfProject(({ templates }) => templates.some((template) => template.name === name));
  if (name === "") return "Enter a name, such as order-shipped.";
  return isTaken ? `A template named "${name}" already exists.` : nameProblem(name);
};

/** The field for a template's name. It has the focus when its dialog opens. */
export const NameField = ({
  value,
  hint,
  error,
  onChange,
}: {
  readonly value: string;
  readonly hint: string;
  readonly error: string | undefined;
  readonly onChange: (name: string) => void;
}) => (
  <Field label="Name" {...(error === undefined ? { hint } : { error })}>
    {(control) => (
      <TextInput
        {...control}
        ref={focusFirst}
        value={value}
        onFocus={(event) => event.target.select()}
        onChange={({ target }) => onChange(target.value)}
      />
    )}
  </Field>
);

/** Acts once the list contains a template, before the next paint. Does nothing while the name is undefined. */
export const useWhenListed = (name: string | undefined, act: () => void): void => {
  const isListed = useOfProject(({ templates }) => templates.some((template) => template.name === name));
  useLayoutEffect(() => {
    if (isListed) act();
    // Runs once, even if other things are rendered meanwhile.
  }, [isListed]);
};
