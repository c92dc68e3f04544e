import type { LucideIcon } from "lucide-react";
import type { ButtonHTMLAttributes, Ref } from "react";
import styles from "./button.module.css";
import { classes } from "./classes.js";
import { spokenKeys } from "./keys.js";

type Native = Omit<ButtonHTMLAttributes<HTMLButtonElement>, "aria-label"> & { readonly ref?: Ref<HTMLButtonElement> };

/** One that cannot be used now is still there for who has pressed it by a key: the focus does not fall from it. */
const usable = ({ disabled = false, onClick, ...native }: Native): Native => ({
  ...native,
  "aria-disabled": disabled || undefined,
  onClick: (event) => {
    if (disabled) event.preventDefault();
    else onClick?.(event);
  },
});

type ButtonKind = "plain" | "primary" | "quiet";

export const Button = ({
  icon: Icon,
  kind = "plain",
  children,
  className,
  ...native
}: Native & { readonly icon?: LucideIcon; readonly kind?: ButtonKind }) => (
  <button type="button" className={classes(styles.button, styles[kind], className)} {...usable(native)}>
    {Icon && <Icon size={16} aria-hidden />}
    {children}
  </button>
);

/** `label` names it, and shows when the pointer rests on it, with the keys that do the same. */
export const IconButton = ({
  icon: Icon,
  label,
  keys,
  isPressed,
  kind = "quiet",
  className,
  ...native
}: Native & {
  readonly icon: LucideIcon;
  readonly label: string;
  readonly keys?: string;
  readonly isPressed?: boolean;
  readonly kind?: ButtonKind;
}) => (
  <button
    type="button"
    aria-label={label}
    title={keys ? `${label} (${spokenKeys(keys)})` : label}
    aria-pressed={isPressed}
    className={classes(styles.button, styles.icon, styles[kind], className)}
    {...usable(native)}
  >
    <Icon size={16} aria-hidden />
  </button>
);
