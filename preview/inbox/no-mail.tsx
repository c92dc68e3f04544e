import { Inbox, MailOpen, Send, Unplug } from "lucide-react";
import { currentCommands } from "../palette/commands.js";
import { Words } from "../ui/text.js";
import { useOfProject, useOtherService } from "../state/data.js";
import { Button } from "../ui/button.js";
import { EmptyState, FirstSteps } from "../ui/empty-state.js";
import { Keys } from "../ui/keys.js";
import styles from "./no-mail.module.css";

const start = { what: "Start it", line: "npx templates dev" };
const send = [
  { what: "Send to it from your application", line: "LETTERSHOP_ENV=local" },
  { what: "Send to it from the command line", line: "npx templates send NAME --to ada@example.com" },
];

/** Shown while the inbox is empty: how to send the first email to it. */
export const NoMail = ({ isReachable }: { readonly isReachable: boolean }) => {
  const other = useOtherService();
  const can = useOfProject((project) => project.can);
  const isEmpty = useOfProject(({ templates }) => templates.length === 0);
  const sendTest = () =>
    currentCommands()
      .find(({ id }) => id === "send-test")
      ?.run();
  return (
    <FirstSteps
      icon={isReachable ? Inbox : Unplug}
      title={
        isReachable
          ? "No emails yet"
          : other
            ? "This project's local service isn't running"
            : "The local service isn't running"
      }
      about={
        isReachable
          ? "Emails that your application sends to the local service appear here right away. None of them leaves this machine."
          : "It replaces the email service during development and stores every email it receives. Once it's running, its emails appear here."
      }
      steps={isReachable ? send : [start, ...send]}
    >
      {other && !isReachable && (
        <p>
          The service at <code>{other.url}</code> belongs to another project, so its emails aren't shown here:{" "}
          <code>{other.project}</code>
        </p>
      )}
      {can.send && !isEmpty && (
        <div>
          <Button icon={Send} kind="primary" onClick={sendTest}>
            Send a test
          </Button>
        </div>
      )}
      <p>
        In any other language, use its API: <code>templates dev</code> prints the URL; the key is <code>local</code>,
        the domain <code>example.test</code>.
      </p>
    </FirstSteps>
  );
};

/** Shown next to the list while no email is selected. */
export const NothingChosen = () => (
  <div className={styles.page}>
    <EmptyState icon={MailOpen} title="No email selected">
      Select one from the list, or press <Keys keys="j" /> for the next one.
    </EmptyState>
  </div>
);

export const MissingMail = ({ isReachable, trouble }: { readonly isReachable: boolean; readonly trouble: string }) => (
  <div className={styles.page}>
    <EmptyState title={isReachable ? "This email no longer exists" : "The local service isn't running"}>
      <Words text={trouble} />
    </EmptyState>
  </div>
);
