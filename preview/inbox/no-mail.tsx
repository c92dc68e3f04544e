import { Forward, Inbox, MailOpen, Send, Unplug } from "lucide-react";
import type { MailFolder, OwnService } from "../../src/preview/contract.js";
import { currentCommands } from "../palette/commands.js";
import { useIsInboxReachable, useOfProject, useOtherService, useOwnService } from "../state/data.js";
import { Button } from "../ui/button.js";
import { EmptyState, FirstSteps } from "../ui/empty-state.js";
import { KeyHint } from "../ui/keys.js";

/** Shown while a folder is empty: how to get its first email. */
export const NoMail = ({ folder }: { readonly folder: MailFolder }) => {
  const service = useOwnService();
  if (!useIsInboxReachable()) return <NotRunning folder={folder} />;
  if (folder === "sent") return <NothingSent />;
  return service ? <NothingForwarded {...service} /> : null;
};

const start = { what: "Start it", line: "npx templates dev" };
const send = [
  { what: "Send to it from your application", line: "LETTERSHOP_ENV=local" },
  { what: "Send to it from the command line", line: "npx templates send NAME --to ada@example.com" },
];

const NotRunning = ({ folder }: { readonly folder: MailFolder }) => {
  const other = useOtherService();
  return (
    <FirstSteps
      icon={Unplug}
      title={other ? "This project's local service isn't running" : "The local service isn't running"}
      about="It replaces the email service during development and stores every email it receives. Once it's running, its emails appear here."
      steps={folder === "sent" ? [start, ...send] : [start]}
    >
      {other && (
        <p>
          The service at <code>{other.url}</code> belongs to another project, so its emails aren't shown here:{" "}
          <code>{other.project}</code>
        </p>
      )}
      {folder === "sent" && <SendTest />}
      {folder === "sent" && <Api url={undefined} />}
    </FirstSteps>
  );
};

const NothingSent = () => (
  <FirstSteps
    icon={Inbox}
    title="No emails yet"
    about="Emails that your application sends to the local service appear here right away. None of them leaves this machine."
    steps={send}
  >
    <SendTest />
    <Api url={useOwnService()?.url} />
  </FirstSteps>
);

const SendTest = () => {
  const can = useOfProject((project) => project.can);
  const isEmpty = useOfProject(({ templates }) => templates.length === 0);
  const sendTest = () =>
    currentCommands()
      .find(({ id }) => id === "send-test")
      ?.run();
  return (
    can.send &&
    !isEmpty && (
      <div>
        <Button icon={Send} kind="primary" onClick={sendTest}>
          Send a test
        </Button>
      </div>
    )
  );
};

const Api = ({ url }: { readonly url: string | undefined }) => (
  <p>
    In any other language, use its API:{" "}
    {url === undefined ? (
      <>
        <code>templates dev</code> prints the URL
      </>
    ) : (
      <>
        the URL is <code>{url}</code>
      </>
    )}
    ; the key is <code>local</code>, the domain <code>example.test</code>.
  </p>
);

const NothingForwarded = ({ url, smtpPort }: OwnService) => {
  const { hostname } = new URL(url);
  return (
    <FirstSteps
      icon={Forward}
      title="No forwarded emails yet"
      about="Emails that the local service receives by SMTP and forwards appear here, as their destinations would get them. Those to webhooks, or through a relay, are delivered instead."
      steps={
        smtpPort === undefined
          ? [{ what: "Start the local service again, without --no-smtp", line: "npx templates service" }]
          : [
              {
                what: "Forward an address of your domain",
                line: `curl -u api:local ${url}/v4/domains/example.test/aliases --json '{"alias":"sales","forward":"ada@example.com"}'`,
              },
              {
                what: "Send an email to it",
                line: `printf 'Subject: Hi\\n\\nHello\\n' | curl smtp://${hostname}:${smtpPort} --mail-from bob@shop.example --mail-rcpt sales@example.test -T -`,
              },
            ]
      }
    >
      {smtpPort !== undefined && (
        <p>
          Your application or email client can send there, too: the host is <code>{hostname}</code>, the port{" "}
          <code>{smtpPort}</code>.
        </p>
      )}
    </FirstSteps>
  );
};

/** Shown next to the list while no email is selected. */
export const NoMailSelected = () => (
  <EmptyState icon={MailOpen} title="No email selected">
    Select one from the list, or press <KeyHint keys="j" /> for the next one.
  </EmptyState>
);
