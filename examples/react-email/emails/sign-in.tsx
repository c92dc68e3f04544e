import { Body, Container, Head, Html, Link, Preview, Text } from "@react-email/components";
import { Footer } from "./components/footer";

export const SignIn = ({ url }: { url: string }) => (
  <Html lang="en">
    <Head />
    <Preview>Your link works once, for ten minutes.</Preview>
    <Body>
      <Container>
        <Text>
          <Link href={url}>Sign in to Example</Link>
        </Text>
        <Footer />
      </Container>
    </Body>
  </Html>
);

SignIn.PreviewProps = { url: "https://example.com/sign-in/4f1c" };

export default SignIn;
