import { Check, Pencil } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { IconButton } from "../../ui/button.js";
import { Field, type FieldProps } from "./field.js";
import { MemberName } from "./member-name.js";

/** A member of an object whose names are free: it can have another one. */
export const Entry = ({
  taken,
  isFocused,
  onRename,
  ...field
}: Omit<FieldProps, "standing" | "actions"> & {
  /** Names of the others. */
  readonly taken: readonly string[];
  /** Whether it has the focus as soon as it is there. */
  readonly isFocused: boolean;
  readonly onRename: (name: string) => void;
}) => {
  const [isAsked, setIsAsked] = useState(false);
  const [isGivenBack, setIsGivenBack] = useState(isFocused);
  const input = useRef<HTMLInputElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isAsked) input.current?.select();
    else if (isGivenBack) button.current?.focus();
  }, [isAsked, isGivenBack]);
  if (isAsked)
    return (
      <MemberName
        label={`New name of ${field.name}`}
        action="Rename"
        icon={Check}
        first={field.name}
        taken={taken}
        field={input}
        onName={(name) => {
          setIsAsked(false);
          setIsGivenBack(true);
          if (name !== field.name) onRename(name);
        }}
        onCancel={() => {
          setIsAsked(false);
          setIsGivenBack(true);
        }}
      />
    );
  return (
    <Field
      {...field}
      standing="entry"
      actions={
        <IconButton ref={button} icon={Pencil} label={`Rename ${field.name}`} onClick={() => setIsAsked(true)} />
      }
    />
  );
};
