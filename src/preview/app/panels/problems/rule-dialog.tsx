import { Dialog } from "../../ui/dialog.js";
import { Words } from "../words.js";
import styles from "./problems.module.css";
import { rulePage } from "./rule-pages.js";

/** What a rule finds, why that matters, how to mend it and how to silence it. */
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

/** The pages have headings, paragraphs, a little code, and a table. */
const Block = ({ text }: { readonly text: string }) => {
  if (text.startsWith("## ")) return <h3>{text.slice(3)}</h3>;
  if (/^(?:```|\|)/.test(text)) return <pre tabIndex={0}>{text.replace(/^```.*\n|\n?```$/g, "")}</pre>;
  return (
    <p>
      <Words text={text} hasLinks />
    </p>
  );
};
