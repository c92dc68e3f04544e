import type { LucideIcon } from "lucide-react";
import type { ButtonHTMLAttributes, Ref } from "react";
import styles from "./button.module.css";
import { classes } from "./classes.js";
import { spokenKeys } from "./keys.js";

type Native = Omit<ButtonHTMLAttributes<HTMLButtonElement>, "aria-label"> & { readonly ref?: Ref<HTMLButtonElement> };

/** A disabled button stays focusable, so that a keyboard user who pressed it does not lose the focus. */
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

/** `label` is its accessible name and, together with the shortcut, its tooltip. */
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
