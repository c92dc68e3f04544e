import styles from "./table.module.css";

/** Text with its Mustache tags highlighted. */
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
