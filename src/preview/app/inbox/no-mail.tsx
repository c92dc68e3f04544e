import { Inbox, MailOpen, Send, Unplug } from "lucide-react";
import { currentCommands } from "../palette/commands.js";
import { useOfProject } from "../state/data.js";
import { Button } from "../ui/button.js";
import { CopyButton } from "../ui/copy.js";
import { EmptyState } from "../ui/empty-state.js";
import { Keys } from "../ui/keys.js";
import styles from "./no-mail.module.css";

/** The inbox before anything came: how to get something into it. */
export const NoMail = ({ isReachable }: { readonly isReachable: boolean }) => {
  const can = useOfProject((project) => project.can);
  const Icon = isReachable ? Inbox : Unplug;
  const sendTest = () =>
    currentCommands()
      .find(({ id }) => id === "send-test")
      ?.run();
  return (
    <div className={styles.page}>
      <div className={styles.sheet}>
        <Icon size={24} strokeWidth={1.5} aria-hidden />
        <h2>{isReachable ? "No mail yet" : "The local service is not running"}</h2>
        <p>
          {isReachable
            ? "What your application sends to the local service shows up here at once. None of it leaves this machine."
            : "It stands in for the email service while you develop, and keeps every mail that it gets. As soon as it runs, its mails show up here."}
        </p>
        <ul>
          {!isReachable && <Way what="Start it" text="npx templates dev" />}
          <Way what="Send to it from your application" text="LETTERSHOP_ENV=local" />
          <Way what="Send to it from the command line" text="npx templates send NAME --to ada@example.com" />
        </ul>
        {can.send && (
          <div>
            <Button icon={Send} kind="primary" onClick={sendTest}>
              Send a test
            </Button>
          </div>
        )}
        <p>
          In another language: its interface at the address that <code>templates dev</code> prints, with the key{" "}
          <code>local</code> and the domain <code>example.test</code>.
        </p>
      </div>
    </div>
  );
};

const Way = ({ what, text }: { readonly what: string; readonly text: string }) => (
  <li>
    <span>{what}</span>
    <div className={styles.line}>
      <code>{text}</code>
      <CopyButton text={text} what={text.includes("=") ? "Variable" : "Command"} />
    </div>
  </li>
);

/** Beside the list, while no mail is chosen. */
export const NothingChosen = () => (
  <div className={styles.page}>
    <EmptyState icon={MailOpen} title="No mail chosen">
      Choose one from the list, or press <Keys keys="j" /> for the next.
    </EmptyState>
  </div>
);
