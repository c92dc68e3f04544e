import type { LucideIcon } from "lucide-react";
import { type RefObject, useId, useState } from "react";
import { Button } from "../../ui/button.js";
import { Input } from "../../ui/field.js";
import styles from "./form.module.css";

/** A field for a member's name, which must be unique. */
export const MemberName = ({
  label,
  action,
  icon,
  first = "",
  taken,
  field,
  onName,
  onCancel,
}: {
  readonly label: string;
  /** The button's label. */
  readonly action: string;
  readonly icon: LucideIcon;
  /** The initial name. */
  readonly first?: string;
  readonly taken: readonly string[];
  readonly field?: RefObject<HTMLInputElement | null>;
  readonly onName: (name: string) => void;
  readonly onCancel?: () => void;
}) => {
  const [name, setName] = useState(first);
  const id = useId();
  const isTaken = taken.includes(name);
  const isReady = name !== "" && !isTaken;
  const take = () => {
    if (!isReady) return;
    onName(name);
    setName("");
  };
  return (
    <div className={styles.row}>
      <div className={styles.line}>
        <Input
          ref={field}
          aria-label={label}
          aria-invalid={isTaken || undefined}
          aria-describedby={isTaken ? `${id}-error` : undefined}
          placeholder="Name"
          value={name}
          onChange={(event) => setName(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === "Escape") onCancel?.();
            if (event.key !== "Enter") return;
            event.preventDefault();
            take();
          }}
        />
        <Button icon={icon} disabled={!isReady} onClick={take}>
          {action}
        </Button>
        {onCancel && (
          <Button kind="quiet" onClick={onCancel}>
            Cancel
          </Button>
        )}
      </div>
      {isTaken && (
        <p id={`${id}-error`} className={styles.error}>
          "{name}" already exists.
        </p>
      )}
    </div>
  );
};
