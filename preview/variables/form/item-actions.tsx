import { ArrowDown, ArrowUp, Copy, X } from "lucide-react";
import { IconButton } from "../../ui/button.js";
import styles from "./form.module.css";

/** The actions of a list item. */
export const ItemActions = ({
  name,
  onUp,
  onDown,
  onCopy,
  onRemove,
}: {
  readonly name: string;
  readonly onUp: (() => void) | undefined;
  readonly onDown: (() => void) | undefined;
  /** Undefined where there is no room for it and little use. */
  readonly onCopy: (() => void) | undefined;
  readonly onRemove: () => void;
}) => (
  <span className={styles.actions}>
    <IconButton data-action="up" icon={ArrowUp} label={`Move ${name} up`} disabled={!onUp} onClick={onUp} />
    <IconButton data-action="down" icon={ArrowDown} label={`Move ${name} down`} disabled={!onDown} onClick={onDown} />
    {onCopy && <IconButton data-action="copy" icon={Copy} label={`Duplicate ${name}`} onClick={onCopy} />}
    <IconButton data-action="remove" icon={X} label={`Remove ${name}`} onClick={onRemove} />
  </span>
);
