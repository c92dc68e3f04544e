import { BookOpen, FileCode, ScanSearch, SquarePen } from "lucide-react";
import { useEffect, useRef } from "react";
import type { Problem } from "../../../src/preview/contract.js";
import { useOfProject, useSource } from "../../state/data.js";
import { Button } from "../../ui/button.js";
import { CopyButton } from "../../ui/copy.js";
import { Frame } from "../../ui/frame.js";
import { openEditor, showElement, showSource } from "../show.js";
import { Words } from "../words.js";
import styles from "./problems.module.css";

/** A problem's details and the actions for it. */
export const ProblemDetails = ({
  problem: { hint, at, frame, place, rule },
  onAbout,
}: {
  readonly problem: Problem;
  /** Shows the rule's page. Undefined if it has none. */
  readonly onAbout: (() => void) | undefined;
}) => {
  const can = useOfProject((project) => project.can);
  const source = useSource();
  const details = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // In braces, because some browsers return a promise.
    details.current?.scrollIntoView({ block: "nearest" });
  }, []);
  const where = at && [at.file, at.line, at.column].filter((part) => part !== undefined).join(":");
  return (
    <div ref={details} className={styles.details}>
      {hint && (
        <p className={styles.hint}>
          <Words text={hint} isHint />
        </p>
      )}
      {frame && frame.length > 0 && <Frame lines={frame} {...(at?.column !== undefined && { column: at.column })} />}
      <p className={styles.actions}>
        {where && <code className={styles.where}>{where}</code>}
        {where && <CopyButton text={where} what="Place" />}
        {at && !at.isNoFile && (
          <Button kind="quiet" icon={FileCode} onClick={() => showSource(at, place)}>
            Show in source
          </Button>
        )}
        {at && can.openEditor && !at.isNoFile && (
          <Button kind="quiet" icon={SquarePen} onClick={() => openEditor(source, at)}>
            Open in editor
          </Button>
        )}
        {place !== undefined && (
          <Button kind="quiet" icon={ScanSearch} onClick={() => showElement(place)}>
            Show in email
          </Button>
        )}
        {onAbout && (
          <Button kind="quiet" icon={BookOpen} className={styles.about} onClick={onAbout}>
            About {rule}
          </Button>
        )}
      </p>
    </div>
  );
};
