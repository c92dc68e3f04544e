import { type LucideIcon, X } from "lucide-react";
import { type ReactNode, useId, useLayoutEffect, useRef, useState } from "react";
import { messageOf } from "../data/source.js";
import { Button, IconButton } from "./button.js";
import styles from "./dialog.module.css";
import { MessageText } from "./text.js";

/** In pixels. */
const widths = { narrow: 440, middle: 600, wide: 960 };

export interface DialogProps {
  readonly title: string;
  readonly isOpen: boolean;
  readonly size?: keyof typeof widths;
  /** Buttons, with the main one last. */
  readonly footer?: ReactNode;
  readonly children: ReactNode;
  readonly onClose: () => void;
}

/** A native dialog, which keeps the focus inside. When it closes, the focus returns to where it was. */
export const Dialog = ({ title, isOpen, size = "middle", footer, children, onClose }: DialogProps) => {
  const heading = useId();
  return (
    <Modal isOpen={isOpen} size={size} onClose={onClose} labelledBy={heading}>
      <div className={styles.head}>
        <h2 id={heading}>{title}</h2>
        <IconButton icon={X} label="Close" onClick={onClose} />
      </div>
      <div className={styles.body}>{children}</div>
      {footer && <div className={styles.foot}>{footer}</div>}
    </Modal>
  );
};

/** A narrow dialog with a form. The Enter key submits it too. */
export const FormDialog = ({
  title,
  cancel = "Cancel",
  submit,
  refusal,
  children,
  onSubmit,
  onClose,
}: Pick<DialogProps, "title" | "children" | "onClose"> & {
  readonly cancel?: string;
  readonly submit: { readonly label: string; readonly icon?: LucideIcon; readonly isDisabled: boolean };
  /** Why the last attempt failed. */
  readonly refusal?: string | undefined;
  readonly onSubmit: () => void;
}) => {
  const form = useId();
  return (
    <Dialog
      title={title}
      isOpen
      size="narrow"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{cancel}</Button>
          <Button type="submit" form={form} kind="primary" disabled={submit.isDisabled} icon={submit.icon}>
            {submit.label}
          </Button>
        </>
      }
    >
      <form
        id={form}
        noValidate
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit();
        }}
      >
        {children}
        {refusal !== undefined && (
          <p role="alert" className={styles.refusal}>
            <MessageText text={refusal} />
          </p>
        )}
      </form>
    </Dialog>
  );
};

/** Whether a form is being submitted, and why the last attempt failed. */
export function useSubmission() {
  const [isBusy, setIsBusy] = useState(false);
  const [refusal, setRefusal] = useState<string>();
  const run = async (act: () => Promise<void>): Promise<void> => {
    if (isBusy) return;
    setIsBusy(true);
    setRefusal(undefined);
    await act().catch((error: unknown) => setRefusal(messageOf(error)));
    setIsBusy(false);
  };
  return { isBusy, refusal, run, forget: () => setRefusal(undefined) };
}

/** A ref for the element that gets the focus when a dialog opens. React does not set the attribute by itself. */
export function focusFirst(element: HTMLElement | null): void {
  element?.setAttribute("autofocus", "");
}

/** A dialog without a heading. Its children are mounted only while it is open. */
export const Modal = ({
  isOpen,
  size,
  label,
  labelledBy,
  children,
  onClose,
}: Omit<DialogProps, "title" | "size" | "footer"> & {
  readonly size: keyof typeof widths;
  readonly label?: string;
  readonly labelledBy?: string;
}) => {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const { current } = dialog;
    if (!isOpen) return undefined;
    // A browser that restores the focus itself may lose the caret, and with it whatever is typed next.
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
      className={styles.dialog}
      style={{ width: `min(${widths[size]}px, 100vw - 48px)` }}
      onClose={() => {
        // A dialog closed by this component reports it a moment later, when it may already be open again.
        if (isOpen && dialog.current?.open === false) onClose();
      }}
      onPointerDown={(event) => {
        // A click outside the dialog hits its backdrop.
        if (event.target === dialog.current) onClose();
      }}
    >
      {isOpen && children}
    </dialog>
  );
};
