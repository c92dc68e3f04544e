import { type FocusEvent, type KeyboardEvent, useRef } from "react";

interface Undoing {
  readonly undo: () => void;
  readonly redo: () => void;
}

/**
 * Undo and redo keys in a form. Within a focused text field, the browser undoes what was typed since it got the focus.
 */
export function useUndoKeys({ undo, redo }: Undoing) {
  const began = useRef("");
  return {
    onFocus({ target }: FocusEvent): void {
      began.current = textOf(target);
    },
    onKeyDown(event: KeyboardEvent<HTMLElement>): void {
      const { currentTarget: form, target, key, shiftKey } = event;
      if (!(event.ctrlKey || event.metaKey) || event.altKey || !["z", "y"].includes(key.toLowerCase())) return;
      if (isTextField(target) && textOf(target) !== began.current) return;
      event.preventDefault();
      if (shiftKey || key.toLowerCase() === "y") redo();
      else undo();
      requestAnimationFrame(() => {
        const { activeElement } = document;
        if (activeElement === document.body) form.focus();
        began.current = textOf(activeElement);
      });
    },
  };
}

function isTextField(target: unknown): target is HTMLInputElement | HTMLTextAreaElement {
  return target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && target.type !== "checkbox");
}

function textOf(target: unknown): string {
  return isTextField(target) ? target.value : "";
}
