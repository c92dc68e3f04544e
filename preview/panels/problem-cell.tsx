import type { RowProblem } from "../../src/preview/contract.js";
import { countsOf, toneOf } from "../state/counts.js";
import { Badge, SeverityMark } from "../ui/badge.js";
import { Words } from "../ui/text.js";
import styles from "./table.module.css";

/** The row's problems: one line each, and the whole message in the selected row. */
export const ProblemCell = ({ problems }: { readonly problems: readonly RowProblem[] }) => (
  <td>
    {problems.map(({ severity, message }, at) => (
      <p key={message} className={styles.problem} title={message}>
        <SeverityMark severity={severity} />
        <span>
          <Words text={message} />
        </span>
        {at === 0 && problems.length > 1 && (
          <b className={styles.more}>
            <Badge tone={toneOf(countsOf(problems.slice(1)))}>+{problems.length - 1}</Badge>
          </b>
        )}
      </p>
    ))}
  </td>
);
