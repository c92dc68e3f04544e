import { SquarePen } from "lucide-react";
import type { Problem } from "../../src/preview/contract.js";
import { openEditor } from "../panels/show.js";
import { MessageText } from "../ui/message-text.js";
import { useOfProject, useSource } from "../state/data.js";
import { Frame } from "../ui/frame.js";
import { Spoken } from "../ui/spoken.js";
import styles from "./problem-text.module.css";

/** A whole problem: the message, what to do, where, and the lines around it. */
export const ProblemText = ({ problem: { rule, message, hint, at, frame } }: { readonly problem: Problem }) => {
  const can = useOfProject((project) => project.can);
  const source = useSource();
  const place = at && <code>{[at.file, at.line, at.column].filter(Boolean).join(":")}</code>;
  return (
    <article className={styles.problem}>
      <p className={styles.message}>
        <MessageText text={message} />
      </p>
      {hint && (
        <p className={styles.hint}>
          <MessageText text={hint} isHint />
        </p>
      )}
      {at && (
        <div className={styles.place}>
          {can.openEditor && !at.isNoFile ? (
            <button type="button" title="Open in editor" className={styles.open} onClick={() => openEditor(source, at)}>
              <SquarePen size={14} aria-hidden />
              <Spoken>Open in editor: </Spoken>
              {place}
            </button>
          ) : (
            place
          )}
          <span>{rule}</span>
        </div>
      )}
      {frame && frame.length > 0 && <Frame lines={frame} {...(at?.column && { column: at.column })} />}
    </article>
  );
};
