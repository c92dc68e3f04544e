import { TriangleAlert } from "lucide-react";
import { Badge } from "../ui/badge.js";
import styles from "./table.module.css";
import { Words } from "./words.js";

/** What is wrong with a row: one line, and all of it in the row that is chosen. */
export const ProblemCell = ({ problems }: { readonly problems: readonly string[] }) => (
  <td>
    {problems.map((problem, at) => (
      <p key={problem} className={styles.problem} title={problem}>
        <TriangleAlert size={14} aria-hidden />
        <span>
          <Words text={problem} />
        </span>
        {at === 0 && problems.length > 1 && (
          <b className={styles.more}>
            <Badge tone="warning">+{problems.length - 1}</Badge>
          </b>
        )}
      </p>
    ))}
  </td>
);
