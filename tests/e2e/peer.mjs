// A server that speaks as OpenAI's chat completions do, and says of each question what a test says: what follows is the program's work,
// the same on every machine.
import { createServer } from "node:http";

/** `answers` are questions with their queries; `asked` counts the requests that it got. */
export async function startPeer(answers) {
  let asked = 0;
  const server = createServer((request, response) => {
    let text = "";
    request.on("data", (part) => (text += part));
    request.on("end", () => {
      if (request.method !== "POST") {
        response.writeHead(404).end();
        return;
      }
      asked += 1;
      const { messages, n = 1, stop = [] } = JSON.parse(text);
      // Prompts write what a person said as comments of SQL.
      const said = messages.map(({ content }) => content).join("\n").replace(/\n-- /g, " ");
      const sql = answers.find(([question]) => said.includes(question))?.[1] ?? "SELECT NULL";
      const whole = `\`\`\`sql\n${sql}\n\`\`\``;
      const ends = stop.map((end) => whole.indexOf(end)).filter((at) => at >= 0);
      const content = whole.slice(0, Math.min(whole.length, ...ends));
      response.writeHead(200, { "content-type": "text/event-stream" });
      const send = (value) => response.write(`data: ${JSON.stringify(value)}\n\n`);
      for (let index = 0; index < n; index += 1) {
        send({ choices: [{ index, delta: { content }, finish_reason: null }] });
        send({ choices: [{ index, delta: {}, finish_reason: "stop" }] });
      }
      send({ choices: [], usage: { prompt_tokens: 100, completion_tokens: 20 } });
      response.end("data: [DONE]\n\n");
    });
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    address: `http://127.0.0.1:${server.address().port}/v1`,
    asked: () => asked,
    stop: () => new Promise((resolve) => server.close(resolve)),
  };
}
