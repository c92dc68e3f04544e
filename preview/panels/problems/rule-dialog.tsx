import { CopyButton } from "../../ui/copy.js";
import { Dialog } from "../../ui/dialog.js";
import { Words } from "../words.js";
import styles from "./problems.module.css";
import { rulePage } from "./rule-pages.js";

/** A rule's page: what it finds, why that matters, how to fix it and how to silence it. */
export const RuleDialog = ({
  rule,
  page,
  isOpen,
  onClose,
}: {
  readonly rule: string;
  readonly page: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}) => (
  <Dialog title={rule} isOpen={isOpen} onClose={onClose}>
    {isOpen && (
      <div className={styles.page}>
        {(rulePage(page) ?? "").split(/\n{2,}/).map((block, at) => (
          <Block key={at} text={block.trim()} />
        ))}
      </div>
    )}
  </Dialog>
);

/** One block of a page: a heading, a paragraph, code or a table. */
const Block = ({ text }: { readonly text: string }) => {
  if (text.startsWith("## ")) return <h3>{text.slice(3)}</h3>;
  if (text.startsWith("|")) return <pre tabIndex={0}>{text}</pre>;
  if (text.startsWith("```")) {
    const code = text.replace(/^```.*\n|\n?```$/g, "");
    return (
      <div className={styles.code}>
        <pre tabIndex={0}>{code}</pre>
        <CopyButton text={code} what="Code" />
      </div>
    );
  }
  return (
    <p>
      <Words text={text} hasLinks />
    </p>
  );
};
