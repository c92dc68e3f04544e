// @ts-check
/** @typedef {import("./random.mjs").Random} Random */

const TITLES = ["What is new", "Your next steps", "Worth a look", "From our blog", "Before you go", "Good to know"];
const SENTENCES = [
  "Boards now open in half the time, including on phones.",
  "A calendar shows every deadline of your projects next to your own.",
  "Guests see what you share with them, and nothing else.",
  "You can withdraw an invitation until it has been accepted.",
  "Exports include the comments, the files and their authors.",
  "Your invoices are kept for ten years & can be downloaded at any time.",
  "If something is not as you expected, reply to this email.",
  "We never ask for your password, by email or on the phone.",
];

/** @param {Random} random */
function paragraph(random) {
  return Array.from({ length: 1 + random.upTo(3) }, () => random.oneOf(SENTENCES)).join(" ");
}

/** Sections that are common in real emails but not in the starters, as MJML. @type {((random: Random) => string)[]} */
export const MJML_SECTIONS = [
  (random) => `    <mj-section mj-class="card" padding-top="24px">
      <mj-column>
        <mj-text mj-class="title"><h2>${random.oneOf(TITLES)}</h2></mj-text>
        <mj-text>${paragraph(random)}</mj-text>
        <mj-text>${paragraph(random)}</mj-text>
      </mj-column>
    </mj-section>`,
  (random) => `    <mj-section mj-class="card">
      <mj-column width="40%">
        <mj-image src="../_assets/logo.png" alt="" width="200px" />
      </mj-column>
      <mj-column width="60%">
        <mj-text>${paragraph(random)}</mj-text>
        <mj-button href="https://fernhill.example/more?n=${random.upTo(99)}">${random.oneOf(TITLES)}</mj-button>
      </mj-column>
    </mj-section>`,
  (random) => `    <mj-section mj-class="card">
      <mj-column>
        <mj-text mj-class="title"><h2>${random.oneOf(TITLES)}</h2></mj-text>
        <mj-table>
          {{#highlights}}
          <tr>
            <td class="line" style="padding: 12px 16px 12px 0;"><a href="{{url}}">{{title}}</a></td>
            <td class="line" style="padding: 12px 0;">{{text}}</td>
          </tr>
          {{/highlights}}
        </mj-table>
      </mj-column>
    </mj-section>`,
  (random) => `    <mj-raw>{{#highlights}}</mj-raw>
    <mj-section mj-class="card">
      <mj-column>
        <mj-divider />
        <mj-text><strong>{{title}}</strong><br />{{text}} ${random.oneOf(SENTENCES)}</mj-text>
        <mj-button href="{{url}}">Read on</mj-button>
      </mj-column>
    </mj-section>
    <mj-raw>{{/highlights}}</mj-raw>`,
];

/** The same kinds of section, as children of the starters' React layout. @type {((random: Random) => string)[]} */
export const REACT_SECTIONS = [
  (random) => `      <Title>${random.oneOf(TITLES)}</Title>
      <Paragraph>${paragraph(random)}</Paragraph>
      <Paragraph>${paragraph(random)}</Paragraph>`,
  (random) => `      <Facts title="${random.oneOf(TITLES)}">
        <Fact label="One">${paragraph(random)}</Fact>
        <Fact label="Two">
          <a href="https://fernhill.example/more?n=${random.upTo(99)}">${random.oneOf(TITLES)}</a>
        </Fact>
      </Facts>`,
  (random) => `      <Title>${random.oneOf(TITLES)}</Title>
      {props.highlights.map(({ title, text, url }) => (
        <Action key={title} href={url}>
          {title}: {text}
        </Action>
      ))}`,
  (random) => `      {props.highlights.length > 0 ? (
        <Facts title="${random.oneOf(TITLES)}">
          {props.highlights.map((each) => (
            <Fact key={each.title} label={each.title}>
              {\`\${each.text} (\${each.url})\`}
            </Fact>
          ))}
        </Facts>
      ) : (
        <Quote>${random.oneOf(SENTENCES)}</Quote>
      )}`,
];

/** The variable that the sections use. @param {Random} random */
export function highlights(random) {
  return Array.from({ length: 1 + random.upTo(3) }, (_, index) => ({
    title: `${random.oneOf(TITLES)} ${index + 1}`,
    text: random.oneOf(SENTENCES),
    url: `https://fernhill.example/highlights/${index + 1}`,
  }));
}
