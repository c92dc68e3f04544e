import { X } from "lucide-react";
import { type ReactNode, useId, useLayoutEffect, useRef } from "react";
import { IconButton } from "./button.js";
import { classes } from "./classes.js";
import styles from "./dialog.module.css";

export interface DialogProps {
  readonly title: string;
  readonly isOpen: boolean;
  readonly size?: "narrow" | "middle" | "wide";
  /** Buttons, the main one last. */
  readonly footer?: ReactNode;
  readonly children: ReactNode;
  readonly onClose: () => void;
}

/** The browser's own: it keeps the focus inside. The focus goes back to where it was when it closes. */
export const Dialog = ({ title, isOpen, size = "middle", footer, children, onClose }: DialogProps) => {
  const heading = useId();
  return (
    <ModalFrame isOpen={isOpen} size={size} onClose={onClose} labelledBy={heading}>
      <div className={styles.head}>
        <h2 id={heading}>{title}</h2>
        <IconButton icon={X} label="Close" onClick={onClose} />
      </div>
      <div className={styles.body}>{children}</div>
      {footer && <div className={styles.foot}>{footer}</div>}
    </ModalFrame>
  );
};

/** A ref: what a dialog focuses when it opens. React does not write the attribute by itself. */
export function focusFirst(element: HTMLElement | null): void {
  element?.setAttribute("autofocus", "");
}

/** A dialog without a head of its own. Its children are there only while it is open. */
export const ModalFrame = ({
  isOpen,
  size,
  label,
  labelledBy,
  children,
  onClose,
}: {
  readonly isOpen: boolean;
  readonly size: "narrow" | "middle" | "wide";
  readonly label?: string;
  readonly labelledBy?: string;
  readonly children: ReactNode;
  readonly onClose: () => void;
}) => {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const { current } = dialog;
    if (!isOpen) return undefined;
    // A browser that gives the focus back itself may leave the caret behind, and with it all that is typed then.
    const before = document.activeElement instanceof HTMLElement ? document.activeElement : undefined;
    before?.blur();
    current?.showModal();
    return () => {
      current?.close();
      before?.focus({ preventScroll: true });
    };
  }, [isOpen]);
  return (
    <dialog
      ref={dialog}
      aria-label={label}
      aria-labelledby={labelledBy}
      className={classes(styles.dialog, styles[size])}
      onClose={() => {
        // One that was closed from here says so a moment later, when it may be open again.
        if (isOpen && dialog.current?.open === false) onClose();
      }}
      onPointerDown={(event) => {
        // What is hit beside it is the dialog's own backdrop.
        if (event.target === dialog.current) onClose();
      }}
    >
      {isOpen && children}
    </dialog>
  );
};
