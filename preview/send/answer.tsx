import { CircleAlert, CircleCheck, CircleHelp } from "lucide-react";
import type { SendAnswer } from "../../src/preview/contract.js";
import { Words } from "../ui/text.js";
import { addressOf, changeView } from "../state/view-store.js";
import { classes } from "../ui/classes.js";
import styles from "./answer.module.css";

/** The result of the test. */
export const Answer = ({ answer, onClose }: { readonly answer: SendAnswer; readonly onClose: () => void }) =>
  answer.outcome === "accepted" ? (
    <div role="status" className={classes(styles.answer, styles.good)}>
      <CircleCheck size={16} aria-hidden />
      <p>
        Accepted by {answer.environment}.{" "}
        {answer.environment === "local" && (
          <a
            href={addressOf({ screen: "inbox", mail: answer.id })}
            onClick={(event) => {
              event.preventDefault();
              onClose();
              changeView({ screen: "inbox", mail: answer.id });
            }}
          >
            Show in inbox
          </a>
        )}
      </p>
    </div>
  ) : (
    <div role="alert" className={classes(styles.answer, answer.outcome === "unknown" ? styles.warning : styles.error)}>
      {answer.outcome === "unknown" ? <CircleHelp size={16} aria-hidden /> : <CircleAlert size={16} aria-hidden />}
      <div>
        <p className={styles.message}>
          <Words text={answer.message} />
        </p>
        {answer.hint !== undefined && (
          <p>
            <Words text={answer.hint} />
          </p>
        )}
      </div>
    </div>
  );
