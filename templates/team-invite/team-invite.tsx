import { Action, Fact, Facts, Layout, Paragraph, Quote, Title } from "../_shared/layout.js";
import type { Props } from "./variables.js";

export default function TeamInvite(props: Props) {
  return (
    <Layout
      title={`${props.inviter.name} invited you to ${props.team} on Fernhill`}
      preview={`Your place is kept until ${props.expiresOn}. Joining takes a minute.`}
      reason={`You are receiving this because ${props.inviter.email} entered your address in an invitation on Fernhill. We have not added you to any list.`}
    >
      <Title>Join {props.team}</Title>
      <Paragraph>
        {props.inviter.name} ({props.inviter.email}) invited you to plan projects together with{" "}
        <strong>{props.team}</strong> on Fernhill.
      </Paragraph>
      {props.messageParagraphs.map((paragraph) => (
        <Quote key={paragraph}>{paragraph}</Quote>
      ))}
      <Facts title="Your invitation:">
        <Fact label="Team">{props.team}</Fact>
        <Fact label="Your role">{props.role}</Fact>
        <Fact label="Open until">{props.expiresOn}</Fact>
      </Facts>
      <Action href={props.inviteUrl}>Accept the invitation</Action>
      <Paragraph>
        If you don’t know {props.inviter.name} or would rather not join, you can ignore this email: the invitation
        simply runs out.
      </Paragraph>
    </Layout>
  );
}
