// What the drivers of both TypeScript SDKs share: read one instruction a line, answer each with one line.
// What the instructions are is written in `src/instruction.rs`. The arguments of a driver are
//
//     {legacy|modern} stdio COMMAND [ARGUMENT...]
//     {legacy|modern} http URL TOKEN

import { createInterface } from 'node:readline';

/** What the client can be asked. */
export const capabilities = { elicitation: { form: {} }, sampling: { tools: {} }, roots: {} };

/** Who sits behind the client: hears what the server says, and answers what it asks. */
export class Person {
  #heard = [];
  #waiting;
  #answers = [];
  #asked = [];

  tell(notice, what = null) {
    this.#heard.push([notice, what]);
    this.#waiting?.();
  }

  /** Waits for the next notice of a kind. */
  async hears(notice) {
    for (;;) {
      const what = first(this.#heard, notice);
      if (what !== undefined) return what;
      await new Promise((resolve) => (this.#waiting = resolve));
    }
  }

  willAnswer(question, answer) {
    this.#answers.push([question, answer]);
  }

  /** Gives the answer that is prepared, or waits until nobody asks any more. */
  async answer(question, params = null, withdrawn) {
    this.#asked.push([question, params]);
    const answer = first(this.#answers, question);
    if (answer === undefined) throw new Error('the test expects no question');
    if (answer === null) {
      await new Promise((resolve) => withdrawn.addEventListener('abort', resolve));
      this.tell('withdrawn');
      throw new Error('nobody asks any more');
    }
    return answer;
  }

  asked(question) {
    const asked = [];
    for (let next; (next = first(this.#asked, question)) !== undefined; ) asked.push(next);
    return asked;
  }
}

/** Takes the first of a kind out of a list. */
function first(list, kind) {
  const place = list.findIndex(([of]) => of === kind);
  return place < 0 ? undefined : list.splice(place, 1)[0][1];
}

/** The way to the server that the arguments name, by the transports of an SDK. */
export function transport({ StdioClientTransport, StreamableHTTPClientTransport }, [kind, first, ...rest]) {
  if (kind === 'http') {
    const headers = { Authorization: `Bearer ${rest[0]}` };
    return new StreamableHTTPClientTransport(new URL(first), { requestInit: { headers } });
  }
  return new StdioClientTransport({ command: first, args: rest, env: process.env, stderr: 'inherit' });
}

/**
 * Answers instructions until standard input ends.
 *
 * `open` connects a person and gives the SDK's ways to do things; `reported` makes an answer of an error that the
 * test wants to see, and nothing of one that ends the driver.
 */
export async function drive({ open, reported }) {
  let person;
  let client;
  const connect = async () => {
    person = new Person();
    client = await open(person);
  };
  await connect();
  let started;
  const call = ({ name, arguments: args }, signal) => {
    const onprogress = (progress) => person.tell('progress', progress);
    return client.call({ name, arguments: args }, { signal, onprogress });
  };
  const operations = {
    hello: () => client.hello(),
    tools: () => client.tools(),
    call,
    prompts: () => client.prompts(),
    prompt: ({ name, arguments: args }) => client.prompt({ name, arguments: args }),
    complete: ({ of, argument, typed, chosen }) =>
      client.complete({
        ref: of,
        argument: { name: argument, value: typed },
        context: chosen ? { arguments: chosen } : undefined,
      }),
    resources: () => client.resources(),
    templates: () => client.templates(),
    read: ({ uri }) => client.read({ uri }),
    subscribe: ({ uri }) => client.subscribe(uri),
    unsubscribe: ({ uri }) => client.unsubscribe(uri),
    log_from: ({ level }) => client.logFrom(level),
    heard: ({ notice }) => person.hears(notice),
    will_answer: ({ question, answer }) => person.willAnswer(question, answer),
    asked: ({ question }) => ({ asked: person.asked(question) }),
    start: (parameters) => {
      const gaveUp = new AbortController();
      const answered = [];
      const running = call(parameters, gaveUp.signal).then((result) => {
        answered.push(result);
        return result;
      });
      // It is told by `finish`.
      running.catch(() => {});
      started = { gaveUp, answered, running };
    },
    finish: () => started.running,
    give_up: async () => {
      started.gaveUp.abort();
      await started.running.catch(() => {});
      return { answered: started.answered };
    },
    reopen: async () => {
      await client.close();
      await connect();
    },
  };
  for await (const line of createInterface({ input: process.stdin })) {
    const { op, ...parameters } = JSON.parse(line);
    let answer;
    try {
      answer = { ok: (await operations[op](parameters)) ?? null };
    } catch (error) {
      const told = reported(error);
      if (!told) throw error;
      answer = { error: told };
    }
    process.stdout.write(`${JSON.stringify(answer)}\n`);
  }
  await client.end();
}
