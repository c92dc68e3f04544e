import { Plus } from "lucide-react";
import { useId, useState } from "react";
import type { VariablesSchema } from "../../../../mustache/variables.js";
import { Button } from "../../ui/button.js";
import { Input } from "../../ui/field.js";
import type { Path } from "../path.js";
import { blankOf } from "../schema/blank.js";
import styles from "./form.module.css";
import { useForm } from "./form-context.js";

/** Asks for the name of another member. */
export const AddMember = ({
  part,
  taken,
  path,
}: {
  readonly part: VariablesSchema;
  readonly taken: readonly string[];
  readonly path: Path;
}) => {
  const { change, root } = useForm();
  const [name, setName] = useState("");
  const id = useId();
  const isTaken = taken.includes(name);
  const add = () => {
    if (name === "" || isTaken) return;
    change([...path, name], blankOf(part, root));
    setName("");
  };
  return (
    <div className={styles.row}>
      <div className={styles.line}>
        <Input
          id={id}
          aria-label="Name of another member"
          aria-invalid={isTaken || undefined}
          aria-describedby={isTaken ? `${id}-error` : undefined}
          placeholder="Name"
          value={name}
          onChange={(event) => setName(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== "Enter") return;
            event.preventDefault();
            add();
          }}
        />
        <Button icon={Plus} disabled={name === "" || isTaken} onClick={add}>
          Add
        </Button>
      </div>
      {isTaken && (
        <p id={`${id}-error`} className={styles.error}>
          There is a “{name}” already.
        </p>
      )}
    </div>
  );
};
