import styles from "./keys.module.css";

export const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);

const NAMES: Readonly<Record<string, string>> = isMac
  ? { mod: "⌘", shift: "⇧", enter: "↩", escape: "esc", delete: "⌫" }
  : { mod: "Ctrl", shift: "Shift", enter: "Enter", escape: "Esc", delete: "Delete" };

const named = (key: string) => NAMES[key] ?? (key.length === 1 ? key.toUpperCase() : key);

/** The strokes of `g i` or `mod+k`, each as a list of key names. */
const strokesOf = (keys: string): readonly (readonly string[])[] =>
  keys.split(" ").map((stroke) => (stroke === "+" ? ["+"] : stroke.split("+").map(named)));

export const accessibleKeys = (keys: string): string =>
  strokesOf(keys)
    .map((stroke) => stroke.join(isMac ? "" : "+"))
    .join(" then ");

export const KeyHint = ({ keys }: { readonly keys: string }) => (
  <span className={styles.keys}>
    {strokesOf(keys).map((stroke, at) => (
      <span key={at} className={styles.stroke}>
        {stroke.map((key) => (
          <kbd key={key}>{key}</kbd>
        ))}
      </span>
    ))}
  </span>
);
