import type { LucideIcon } from "lucide-react";
import type { ComponentProps } from "react";
import { classes } from "./classes.js";
import { accessibleKeys } from "./keys.js";
import styles from "./button.module.css";

type ButtonProps = ComponentProps<"button"> & {
  readonly icon?: LucideIcon;
  readonly kind?: "plain" | "primary" | "quiet";
};

/** A disabled button stays focusable, so that a keyboard user who pressed it does not lose the focus. */
export const Button = ({
  icon: Icon,
  kind = "plain",
  disabled = false,
  className,
  children,
  onClick,
  ...native
}: ButtonProps) => (
  <button
    type="button"
    aria-disabled={disabled || undefined}
    className={classes(styles.button, styles[kind], className)}
    onClick={(event) => {
      if (disabled) event.preventDefault();
      else onClick?.(event);
    }}
    {...native}
  >
    {Icon && <Icon size={16} aria-hidden />}
    {children}
  </button>
);

/** `label` is its accessible name and, together with the shortcut, its tooltip. */
export const IconButton = ({
  label,
  keys,
  isPressed,
  className,
  ...button
}: ButtonProps & {
  readonly icon: LucideIcon;
  readonly label: string;
  readonly keys?: string;
  readonly isPressed?: boolean;
}) => (
  <Button
    kind="quiet"
    aria-label={label}
    title={keys ? `${label} (${accessibleKeys(keys)})` : label}
    aria-pressed={isPressed}
    className={classes(styles.icon, className)}
    {...button}
  />
);
