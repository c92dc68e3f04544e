import type { Files } from "../../../render/project.js";

/** A template of each kind, with its shared files. */
export const KINDS: Readonly<Record<string, Files>> = {
  mjml: {
    "_shared/footer.mjml": `<mj-section>
  <mj-column>
    <mj-text>
      To {{customer.email}} by <a href="http://teashop.com/about">us</a>
    </mj-text>
    <mj-image src="https://cdn.teashop.com/footer.webp" width="600px" />
  </mj-column>
</mj-section>
`,
    "receipt/receipt.mjml": `<mjml>
  <mj-head>
    <mj-title>Receipt</mj-title>
    <mj-style>.grid { display: grid }</mj-style>
  </mj-head>
  <mj-body>
    <mj-section>
      <mj-column>
        <mj-text color="{{color}}">Hello {{{customer.name}}}</mj-text>
        {{#items}}
        <mj-text css-class="grid"><a href="{{url}}">{{name}}</a></mj-text>
        {{/items}}
        <mj-button href="https://teashop.com/{{id}}">Go</mj-button>
      </mj-column>
    </mj-section>
    <mj-include path="../_shared/footer.mjml" />
  </mj-body>
</mjml>
`,
    "receipt/template.json": '{ "subject": "Receipt {{id}}", "description": "After paying" }',
    "receipt/fixtures/small.json": JSON.stringify(variables(1)),
    "receipt/fixtures/large.json": JSON.stringify(variables(40)),
  },
  react: {
    "_shared/footer.tsx": `export function Footer() {
  return (
    <p>
      Bye. <a href="https://bit.ly/abc">click here</a>
    </p>
  );
}
`,
    "news/news.tsx": `import { Footer } from "../_shared/footer.js";

export const subject = "News";

export default function News({ name, items }: { name: string; items: { url: string; title: string }[] }) {
  return (
    <html lang="en">
      <head><title>News</title></head>
      <body>
        <p>Hello <b>{name}</b></p>
        {items.map((item) => (
          <a key={item.url} href={item.url}>{item.title}</a>
        ))}
        <img src="https://cdn.teashop.com/x.png" width="600" />
        <Footer />
      </body>
    </html>
  );
}

const box = { display: "flex" };
export const unused = box;
`,
    "news/fixtures/default.json": JSON.stringify({
      name: "Ada",
      items: [
        { url: "https://a.teashop.com/1", title: "One" },
        { url: "https://a.teashop.com/2", title: "Two" },
      ],
    }),
  },
  html: {
    "welcome.html": `<!doctype html>
<html lang="en">
<head><title>Welcome {{name}}</title><style>p { color: {{color}}}</style></head>
<body>
<!-- dropped --><!--[if mso]><table><tr><td><![endif]-->
<p title="{{name}}" {{#vip}}class="vip"{{/vip}}>Hi ({{name}}})<br></p>
<ul>{{#items}}<li>{{title}}{{customer.name}}</li>{{/items}}</ul>
{{#customer}}<i>{{name}}</i>{{/customer}}
<!--[if mso]></td></tr></table><![endif]-->
<IMG src="a.png">
</body>
</html>
`,
  },
  verbatim: {
    "old/old.html": "<html>\n<!-- kept -->\n<body><p>Hi {{! what? }}{{name}}}</p>\n\n  <b>x</b></body></html>",
    "old/template.json": '{ "subject": "Old", "verbatim": true }',
  },
};

function variables(items: number) {
  return {
    customer: { name: "Ada", email: "ada@teashop.com" },
    color: "#123456",
    id: "1",
    items: Array.from({ length: items }, (_, number) => ({
      url: `https://teashop.com/${number}`,
      name: `Tea ${number}`,
    })),
  };
}
