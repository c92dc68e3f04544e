import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { IconButton } from "./button.js";
import { notify } from "./notice.js";
import styles from "./copy.module.css";

/** Copies text and notifies the user. `what` names what was copied: "HTML". */
export const copyText = async (text: string, what: string): Promise<boolean> => {
  try {
    await navigator.clipboard.writeText(text);
    notify(`${what} copied`);
    return true;
  } catch {
    notify(`${what} wasn't copied: the browser doesn't allow it here. Select the text and copy it yourself.`, "error");
    return false;
  }
};

export const CopyButton = ({ text, what }: { readonly text: string; readonly what: string }) => {
  const [isDone, setIsDone] = useState(false);
  useEffect(() => {
    if (!isDone) return undefined;
    const timer = setTimeout(setIsDone, 1_500, false);
    return () => clearTimeout(timer);
  }, [isDone]);
  return (
    <IconButton
      icon={isDone ? Check : Copy}
      label={`Copy ${/^[A-Z]+$/.test(what) ? what : what.toLowerCase()}`}
      onClick={() => void copyText(text, what).then(setIsDone)}
    />
  );
};

/** A line of code with a button to copy it. */
export const CopyLine = ({ line, what }: { readonly line: string; readonly what: string }) => (
  <div className={styles.line}>
    <code>{line}</code>
    <CopyButton text={line} what={what} />
  </div>
);

/** A copy button after code within a sentence. */
export const CopyCode = ({ code }: { readonly code: string }) => (
  <button
    type="button"
    aria-label={`Copy ${code}`}
    title="Copy"
    className={styles.code}
    onClick={() => void copyText(code, "Code")}
  >
    <Copy size={12} aria-hidden />
  </button>
);

export function download(text: string, name: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: "text/plain;charset=utf-8" }));
  downloadFrom(url, name);
  // By then the browser has started to read it.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

export function downloadFrom(url: string, name: string): void {
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
}
