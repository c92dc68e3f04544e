import {
  Body,
  Button,
  CodeBlock,
  Column,
  Container,
  Head,
  Heading,
  Hr,
  Html,
  Img,
  Link,
  Preview,
  Row,
  Section,
  Tailwind,
  Text,
  dracula,
} from "@react-email/components";

interface InviteProps {
  inviter: string;
  team: string;
  url: string;
  message?: string;
  members: { name: string; role: string }[];
}

export default function Invite({ inviter, team, url, message, members }: InviteProps) {
  return (
    <Html>
      <Head />
      <Preview>{`${inviter} invites you to ${team}`}</Preview>
      <Tailwind>
        <Body className="bg-white font-sans">
          <Container className="p-4">
            <Section>
              <Img src="https://team.example/logo.png" alt="Team" width="40" />
            </Section>
            <Heading className="text-xl">Join {team}</Heading>
            <Text>
              <strong>{inviter}</strong> (<Link href="https://team.example">team.example</Link>) invites you.
            </Text>
            {message && <Text className="border-l pl-4">“{message}”</Text>}
            {members.map((member) => (
              <Section key={member.name}>
                <Row>
                  <Column>{member.name}</Column>
                  <Column align="right">{member.role}</Column>
                </Row>
              </Section>
            ))}
            <Section className="text-center">
              <Button href={url} className="rounded bg-black p-3 text-white">
                Join the team
              </Button>
            </Section>
            <Text>
              or copy and paste this URL into your browser: <Link href={url}>{url}</Link>
            </Text>
            <CodeBlock code={"team join\n  --accept"} language="bash" theme={dracula} />
            <Hr />
            <Text className="text-xs">If you did not expect it, ignore it.</Text>
          </Container>
        </Body>
      </Tailwind>
    </Html>
  );
}
