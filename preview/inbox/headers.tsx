import type { MailDetail } from "../../src/preview/contract.js";
import { Bar, Space } from "../ui/bar.js";
import { CopyButton } from "../ui/copy.js";
import { Visible } from "../ui/text.js";
import styles from "./headers.module.css";

export const Headers = ({ headers }: Pick<MailDetail, "headers">) => (
  <>
    <Bar>
      <span className={styles.count}>{headers.length} headers</span>
      <Space />
      <CopyButton text={headers.map(({ name, value }) => `${name}: ${value}`).join("\n")} what="Headers" />
    </Bar>
    <div className={styles.place} tabIndex={0} role="region" aria-label="Headers">
      <table className={styles.table}>
        <tbody>
          {headers.map(({ name, value }, index) => (
            <tr key={index}>
              <th scope="row">{name}</th>
              <td>
                <Visible text={value} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  </>
);
