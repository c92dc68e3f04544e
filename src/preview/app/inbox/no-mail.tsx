import { Inbox, MailOpen, Send, Unplug } from "lucide-react";
import { currentCommands } from "../palette/commands.js";
import { useOfProject } from "../state/data.js";
import { Button } from "../ui/button.js";
import { EmptyState } from "../ui/empty-state.js";
import { FirstSteps } from "../ui/first-steps.js";
import { Keys } from "../ui/keys.js";
import styles from "./no-mail.module.css";

const start = { what: "Start it", line: "npx templates dev" };
const send = [
  { what: "Send to it from your application", line: "LETTERSHOP_ENV=local" },
  { what: "Send to it from the command line", line: "npx templates send NAME --to ada@example.com" },
];

/** The inbox before anything came: how to get something into it. */
export const NoMail = ({ isReachable }: { readonly isReachable: boolean }) => {
  const can = useOfProject((project) => project.can);
  const sendTest = () =>
    currentCommands()
      .find(({ id }) => id === "send-test")
      ?.run();
  return (
    <FirstSteps
      icon={isReachable ? Inbox : Unplug}
      title={isReachable ? "No mail yet" : "The local service is not running"}
      about={
        isReachable
          ? "What your application sends to the local service shows up here at once. None of it leaves this machine."
          : "It stands in for the email service while you develop, and keeps every mail that it gets. As soon as it runs, its mails show up here."
      }
      steps={isReachable ? send : [start, ...send]}
    >
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
    </FirstSteps>
  );
};

/** Beside the list, while no mail is chosen. */
export const NothingChosen = () => (
  <div className={styles.page}>
    <EmptyState icon={MailOpen} title="No mail chosen">
      Choose one from the list, or press <Keys keys="j" /> for the next.
    </EmptyState>
  </div>
);
