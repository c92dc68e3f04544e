import { Check, Pencil } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { IconButton } from "../../ui/button.js";
import { Field, type FieldProps } from "./field.js";
import { MemberName } from "./member-name.js";

/** A member of an object with arbitrary names: it can be renamed. */
export const Entry = ({
  taken,
  isFocused,
  onRename,
  ...field
}: Omit<FieldProps, "standing" | "actions"> & {
  /** Names of the other members. */
  readonly taken: readonly string[];
  /** Whether it gets the focus when it appears. */
  readonly isFocused: boolean;
  readonly onRename: (name: string) => void;
}) => {
  const [isRenaming, setIsRenaming] = useState(false);
  const [isGivenBack, setIsGivenBack] = useState(isFocused);
  const input = useRef<HTMLInputElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isRenaming) input.current?.select();
    else if (isGivenBack) button.current?.focus();
  }, [isRenaming, isGivenBack]);
  if (isRenaming)
    return (
      <MemberName
        label={`New name of ${field.name}`}
        action="Rename"
        icon={Check}
        first={field.name}
        taken={taken}
        field={input}
        onName={(name) => {
          setIsRenaming(false);
          setIsGivenBack(true);
          if (name !== field.name) onRename(name);
        }}
        onCancel={() => {
          setIsRenaming(false);
          setIsGivenBack(true);
        }}
      />
    );
  return (
    <Field
      {...field}
      standing="entry"
      actions={
        <IconButton ref={button} icon={Pencil} label={`Rename ${field.name}`} onClick={() => setIsRenaming(true)} />
      }
    />
  );
};
