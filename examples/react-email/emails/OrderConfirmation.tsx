import {
  Body,
  Button,
  Container,
  Head,
  Heading,
  Hr,
  Html,
  Preview,
  Row,
  Column,
  Section,
  Text,
} from "@react-email/components";
import { Footer } from "./components/footer";

interface OrderConfirmationProps {
  name: string;
  orderNumber: string;
  orderUrl: string;
  items: { title: string; quantity: number }[];
}

export default function OrderConfirmation({ name, orderNumber, orderUrl, items }: OrderConfirmationProps) {
  return (
    <Html lang="en">
      <Head />
      <Preview>{`Order ${orderNumber} is on its way to our warehouse`}</Preview>
      <Body style={{ backgroundColor: "#f6f7f9", fontFamily: "Helvetica, Arial, sans-serif" }}>
        <Container style={{ backgroundColor: "#ffffff", padding: "32px" }}>
          <Heading as="h1">Thank you, {name}</Heading>
          <Text>We have your order {orderNumber}:</Text>
          <Section>
            {items.map((item) => (
              <Row key={item.title}>
                <Column>{item.title}</Column>
                <Column align="right">× {item.quantity}</Column>
              </Row>
            ))}
          </Section>
          <Hr />
          <Button href={orderUrl} style={{ backgroundColor: "#1a1a1a", color: "#ffffff", padding: "12px 20px" }}>
            View your order
          </Button>
          <Footer />
        </Container>
      </Body>
    </Html>
  );
}

OrderConfirmation.PreviewProps = {
  name: "Ada",
  orderNumber: "A-1042",
  orderUrl: "https://example.com/orders/A-1042",
  items: [
    { title: "Notebook, dotted", quantity: 2 },
    { title: "Fountain pen", quantity: 1 },
  ],
} satisfies OrderConfirmationProps;
