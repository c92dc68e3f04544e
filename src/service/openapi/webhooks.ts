type Json = Readonly<Record<string, unknown>>;

const header = (name: string, description: string): Json => ({
  name,
  in: "header",
  required: true,
  description,
  schema: { type: "string" },
});

/**
 * What the service posts to the webhooks in `forward` of aliases and rules, which its documents leave open.
 *
 * @param body The JSON Schema of the body.
 */
export function describeWebhooks(body: Json): Json {
  return {
    receivedEmail: {
      post: {
        operationId: "receivedEmail",
        summary: "An email that is forwarded to a webhook",
        description:
          "Signed as in Standard Webhooks (standardwebhooks.com). Redirects are not followed. A user name and password in the webhook's URL are sent as an Authorization header.",
        security: [],
        parameters: [
          header("webhook-id", "The delivery's id, the same for each try."),
          header("webhook-timestamp", "When it was sent, in Unix seconds."),
          header(
            "webhook-signature",
            "`v1,` and the HMAC-SHA256 of `id.timestamp.body` with the account's secret, in base64.",
          ),
        ],
        requestBody: { required: true, content: { "application/json": { schema: body } } },
        responses: {
          "2XX": { description: "Delivered" },
          "4XX": { description: "Refused for good: the sender gets a bounce" },
          default: { description: "Not delivered now: the service tries again, with increasing delay" },
        },
      },
    },
  };
}
