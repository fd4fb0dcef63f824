// Drives a server with `@modelcontextprotocol/client`, which speaks both eras.

import {
  Client,
  LOG_LEVEL_META_KEY,
  ProtocolError,
  SdkHttpError,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

import { capabilities, drive, transport } from './driver.mjs';

const [mode, ...server] = process.argv.slice(2);
const legacy = mode === 'legacy';

// A server's cache hint must not hide a change from the test.
const fresh = { cacheMode: 'refresh' };

async function open(person) {
  const client = new Client(
    { name: 'agent-mcp-tests', version: '1.0.0' },
    {
      capabilities,
      versionNegotiation: { mode: legacy ? 'legacy' : 'auto' },
      listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged: () => person.tell('tools') } },
    },
  );
  for (const question of ['elicitation/create', 'sampling/createMessage', 'roots/list']) {
    client.setRequestHandler(question, ({ params }, { mcpReq }) => person.answer(question, params, mcpReq.signal));
  }
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => person.tell('updated', params));
  client.setNotificationHandler('notifications/message', ({ params }) => person.tell('log', params));
  const way = transport({ StdioClientTransport, StreamableHTTPClientTransport }, server);
  await client.connect(way);
  let isOpen = true;
  // Modern: who was cut off listens again, which the SDK leaves to the application. What has changed until
  // then is not told, so it counts as a change.
  const watch = async (subscription) => {
    while (subscription && (await subscription.closed) === 'remote' && isOpen) {
      subscription = await client.listen({ toolsListChanged: true });
      person.tell('tools');
    }
  };
  watch(client.autoOpenedSubscription);
  const close = () => {
    isOpen = false;
    return client.close();
  };
  const subscriptions = new Map();
  // Modern: each request says from which level on it wants log messages.
  let meta;
  return {
    hello: () => ({
      protocol: client.getNegotiatedProtocolVersion(),
      server: client.getServerVersion(),
      capabilities: client.getServerCapabilities(),
      instructions: client.getInstructions(),
    }),
    tools: () => client.listTools({}, fresh),
    call: (parameters, options) => client.callTool({ ...parameters, _meta: meta }, options),
    prompts: () => client.listPrompts({}, fresh),
    prompt: (parameters) => client.getPrompt(parameters),
    complete: (parameters) => client.complete(parameters),
    resources: () => client.listResources({}, fresh),
    templates: () => client.listResourceTemplates({}, fresh),
    read: (parameters) => client.readResource(parameters, fresh),
    subscribe: async (uri) => {
      if (legacy) await client.subscribeResource({ uri });
      else subscriptions.set(uri, await client.listen({ resourceSubscriptions: [uri] }));
    },
    unsubscribe: async (uri) => {
      if (legacy) await client.unsubscribeResource({ uri });
      else await subscriptions.get(uri).close();
    },
    logFrom: async (level) => {
      if (legacy) await client.setLoggingLevel(level);
      else meta = { [LOG_LEVEL_META_KEY]: level };
    },
    close,
    end: async () => {
      await way.terminateSession?.();
      await close();
    },
  };
}

await drive({
  open,
  reported: (error) => {
    if (error instanceof SdkHttpError) return { code: error.status, message: error.message };
    if (!(error instanceof ProtocolError)) return undefined;
    const { code, message, data } = error;
    return { code, message, data };
  },
});
