import type { LucideIcon } from "lucide-react";
import { type ReactNode, useId, useRef, useState } from "react";
import { Button } from "../ui/button.js";
import styles from "./popover.module.css";

/** A button that opens a small panel of settings below it. */
export function Popover({
  label,
  icon,
  text,
  isActive = false,
  children,
}: {
  readonly label: string;
  readonly icon: LucideIcon;
  /** Shown in the button, next to its icon. */
  readonly text?: string;
  /** Whether a setting in it differs from its default. */
  readonly isActive?: boolean;
  readonly children: ReactNode;
}) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const [isOpen, setIsOpen] = useState(false);

  const place = () => {
    const at = button.current?.getBoundingClientRect();
    const { current: element } = panel;
    if (!at || !element) return;
    // The buttons are at the end of their bars, so the panel is aligned to the right.
    const left = at.right - element.offsetWidth;
    const top = Math.min(at.bottom + 4, window.innerHeight - element.offsetHeight - 8);
    element.style.left = `${Math.max(8, left)}px`;
    element.style.top = `${Math.max(8, top)}px`;
  };

  return (
    <>
      <Button
        ref={button}
        kind="quiet"
        icon={icon}
        popoverTarget={id}
        aria-label={label}
        aria-haspopup="dialog"
        title={label}
        className={isActive ? styles.active : styles.button}
      >
        {text}
      </Button>
      <div
        ref={panel}
        id={id}
        popover="auto"
        role="dialog"
        aria-label={label}
        className={styles.panel}
        onToggle={(event) => {
          setIsOpen(event.newState === "open");
          if (event.newState === "open") place();
        }}
      >
        {isOpen && children}
      </div>
    </>
  );
}
