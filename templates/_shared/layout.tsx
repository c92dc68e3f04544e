import { Body, Button, Container, Head, Heading, Hr, Html, Img, Link, Preview, Text } from "@react-email/components";
import type { CSSProperties, ReactNode } from "react";

const color = {
  page: "#f4f5f2",
  card: "#ffffff",
  text: "#1c2420",
  muted: "#5b665f",
  line: "#e2e6e1",
  accent: "#1e6b4a",
};
const fontFamily = "-apple-system, BlinkMacSystemFont, 'Segoe UI', Helvetica, Arial, sans-serif";

// What cannot be inline: narrow screens, and the dark colours, which have to win over the inline ones.
const styleSheet = `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
.text, .muted { overflow-wrap: anywhere; }
@media (max-width: 480px) {
  .gutter { padding-left: 24px !important; padding-right: 24px !important; }
  .card { border-radius: 0 !important; }
  .title { font-size: 25px !important; line-height: 32px !important; }
  .button { display: block !important; text-align: center !important; }
}
@media (prefers-color-scheme: dark) {
  .page, .page > table > tbody > tr > td { background-color: #111513 !important; }
  .card { background-color: #1b211e !important; }
  .text { color: #e7ece8 !important; }
  .muted { color: #a4afa8 !important; }
  .text a, .muted a { color: #83d3aa !important; }
  .line { border-color: #343d38 !important; }
  .button { background-color: #83d3aa !important; color: #0e1a14 !important; }
}
`;

interface LayoutProps {
  readonly title: string;
  /** What an inbox shows beside the subject. */
  readonly preview: string;
  /** Why the reader has received this. */
  readonly reason: ReactNode;
  readonly children: ReactNode;
}

export function Layout({ title, preview, reason, children }: LayoutProps) {
  return (
    <Html lang="en" dir="ltr">
      <Head>
        <title>{title}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <meta name="format-detection" content="telephone=no, date=no, address=no, email=no" />
        <style>{styleSheet}</style>
      </Head>
      <Body className="page" style={{ margin: 0, padding: 0, backgroundColor: color.page }}>
        <Preview>{preview}</Preview>
        <Container style={{ maxWidth: "600px" }}>
          <Band className="gutter" style={{ padding: "32px 40px 24px" }}>
            <Img src="../_assets/logo.png" alt="Fernhill" width="112" height="32" />
          </Band>
          <Band
            className="card gutter"
            style={{ padding: "40px 40px 24px", borderRadius: "12px", backgroundColor: color.card }}
          >
            {children}
          </Band>
          <Band className="gutter" style={{ padding: "24px 40px 32px" }}>
            <Small style={{ marginBottom: "12px" }}>{reason}</Small>
            <Small style={{ marginBottom: 0 }}>
              Fernhill Ltd, 14 Orchard Row, Bristol BS1 0AA, United Kingdom
              <br />
              <Link
                href="https://fernhill.example/help"
                style={{ ...link, display: "inline-block", padding: "11px 0" }}
              >
                Help centre
              </Link>
            </Small>
          </Band>
        </Container>
      </Body>
    </Html>
  );
}

export function Title({ children }: { readonly children: ReactNode }) {
  return (
    <Heading className="text title" style={{ ...prose, fontSize: "28px", lineHeight: "36px" }}>
      {children}
    </Heading>
  );
}

export function Paragraph({ children }: { readonly children: ReactNode }) {
  return (
    <Text className="text" style={prose}>
      {children}
    </Text>
  );
}

export function Small({ style, children }: { readonly style?: CSSProperties; readonly children: ReactNode }) {
  return (
    <Text className="muted" style={{ ...prose, color: color.muted, fontSize: "14px", lineHeight: "22px", ...style }}>
      {children}
    </Text>
  );
}

export function Quote({ children }: { readonly children: ReactNode }) {
  return (
    <Text
      className="text line"
      style={{ ...prose, margin: 0, padding: "4px 0 4px 16px", borderLeft: `3px solid ${color.line}` }}
    >
      {children}
    </Text>
  );
}

/** The one thing to do: a button, and its address for a reader whose email client shows no buttons. */
export function Action({ href, children }: { readonly href: string; readonly children: ReactNode }) {
  return (
    <>
      <Button className="button" href={href} style={button}>
        {children}
      </Button>
      <Small style={{ marginTop: "24px" }}>
        Or open this address:
        <br />
        <Link href={href} style={link}>
          {href}
        </Link>
      </Small>
    </>
  );
}

/** Facts, one to a row, below a rule. */
export function Facts({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <>
      <Hr className="line" style={{ margin: "24px 0", borderTop: `1px solid ${color.line}` }} />
      <Small style={{ marginBottom: 0 }}>{title}</Small>
      <table width="100%" cellPadding="0" cellSpacing="0" style={{ margin: "0 0 24px" }}>
        <tbody>{children}</tbody>
      </table>
    </>
  );
}

export function Fact({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <tr>
      <th className="muted" scope="row" style={{ ...cell, width: "96px", paddingRight: "16px", color: color.muted }}>
        {label}
      </th>
      <td className="text" style={cell}>
        {children}
      </td>
    </tr>
  );
}

/** A full-width row of the page. Outlook keeps padding and background on a cell, not on a table. */
function Band({
  className,
  style,
  children,
}: {
  readonly className: string;
  readonly style: CSSProperties;
  readonly children: ReactNode;
}) {
  return (
    <table role="presentation" width="100%" cellPadding="0" cellSpacing="0">
      <tbody>
        <tr>
          <td className={className} style={style}>
            {children}
          </td>
        </tr>
      </tbody>
    </table>
  );
}

// Outlook does not inherit a font into a table, so every text names its own.
const prose: CSSProperties = {
  margin: "0 0 16px",
  color: color.text,
  fontFamily,
  fontSize: "16px",
  lineHeight: "26px",
};

const cell: CSSProperties = {
  ...prose,
  padding: "8px 0 0",
  fontWeight: 400,
  lineHeight: "24px",
  textAlign: "left",
  verticalAlign: "top",
};

const link: CSSProperties = { color: color.accent, textDecoration: "underline" };

const button: CSSProperties = {
  margin: "8px 0 0",
  padding: "14px 28px",
  borderRadius: "8px",
  backgroundColor: color.accent,
  color: "#ffffff",
  fontFamily,
  fontSize: "16px",
  fontWeight: 600,
  lineHeight: "20px",
};
