import styles from "./table.module.css";

/** A text with its Mustache tags told apart. */
export const Tagged = ({ text }: { readonly text: string }) => (
  <>
    {text.split(/(\{\{[^}]*\}\}\}?)/).map((part, at) =>
      at % 2 === 1 ? (
        <span key={at} className={styles.tag}>
          {part}
        </span>
      ) : (
        part
      ),
    )}
  </>
);
