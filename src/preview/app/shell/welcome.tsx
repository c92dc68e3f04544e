import { MailPlus } from "lucide-react";
import { useOfProject } from "../state/data.js";
import { CopyButton } from "../ui/copy.js";
import styles from "./welcome.module.css";

const ways = [
  { what: "A template of MJML, for designers", command: "npx lettershop new welcome --mjml" },
  { what: "A template of React components", command: "npx lettershop new welcome --react" },
  { what: "The starter set: receipt, password reset and more", command: "npx lettershop init" },
  { what: "What you have: a folder of React Email or MJML files", command: "npx lettershop init --from ./emails" },
];

/** A project without templates: how the first one comes. */
export const Welcome = () => {
  const name = useOfProject((project) => project.name);
  return (
    <div className={styles.welcome}>
      <div className={styles.sheet}>
        <MailPlus size={24} strokeWidth={1.5} aria-hidden />
        <h2>{name} has no templates yet</h2>
        <p>Run one of these in the project’s folder. The template shows here as soon as its file is there.</p>
        <ul>
          {ways.map(({ what, command }) => (
            <li key={command}>
              <span>{what}</span>
              <div className={styles.command}>
                <code>{command}</code>
                <CopyButton text={command} what="Command" />
              </div>
            </li>
          ))}
        </ul>
        <p className={styles.note}>
          A file of your own works too: save <code>templates/welcome.html</code>, <code>.mjml</code> or{" "}
          <code>.tsx</code>.
        </p>
      </div>
    </div>
  );
};
