import { Action, Fact, Facts, Layout, Paragraph, Title } from "../_shared/layout.js";
import type { Props } from "./variables.js";

export default function PasswordReset(props: Props) {
  return (
    <Layout
      title="Reset your Fernhill password"
      preview={`Choose a new one within ${props.validFor}. If you did not ask for this, nothing has changed.`}
      reason={`You are receiving this because a new password was requested for the Fernhill account ${props.email}.`}
    >
      <Title>Reset your password</Title>
      <Paragraph>
        Hello {props.name}, somebody asked to reset the password of the Fernhill account {props.email}. If it was you,
        choose a new one. The link works once, for <strong>{props.validFor}</strong>.
      </Paragraph>
      <Action href={props.resetUrl}>Choose a new password</Action>
      <Facts title="The request came from here:">
        {props.facts.map((fact) => (
          <Fact key={fact.label} label={fact.label}>
            {fact.value}
          </Fact>
        ))}
      </Facts>
      <Paragraph>
        <strong>Didn’t ask for this?</strong> You can ignore this email: your password stays as it is. If it keeps
        happening, reply and we will look into it.
      </Paragraph>
    </Layout>
  );
}
