// Drives a server with `@modelcontextprotocol/sdk`, the 1.x line, which speaks the legacy era only.

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport, StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
  LoggingMessageNotificationSchema,
  McpError,
  ResourceUpdatedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';

import { capabilities, drive, transport } from './driver.mjs';

const [, ...server] = process.argv.slice(2);

async function open(person) {
  const client = new Client(
    { name: 'agent-mcp-tests', version: '1.0.0' },
    {
      capabilities,
      listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged: () => person.tell('tools') } },
    },
  );
  for (const question of [ElicitRequestSchema, CreateMessageRequestSchema, ListRootsRequestSchema]) {
    client.setRequestHandler(question, ({ method, params }, { signal }) => person.answer(method, params, signal));
  }
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => person.tell('updated', params));
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => person.tell('log', params));
  const way = transport({ StdioClientTransport, StreamableHTTPClientTransport }, server);
  // The SDK tells the negotiated version to the transport only.
  let protocol;
  const setProtocolVersion = way.setProtocolVersion?.bind(way);
  way.setProtocolVersion = (version) => {
    protocol = version;
    setProtocolVersion?.(version);
  };
  await client.connect(way);
  return {
    hello: () => ({
      protocol,
      server: client.getServerVersion(),
      capabilities: client.getServerCapabilities(),
      instructions: client.getInstructions(),
    }),
    tools: () => client.listTools(),
    call: (parameters, options) => client.callTool(parameters, undefined, options),
    prompts: () => client.listPrompts(),
    prompt: (parameters) => client.getPrompt(parameters),
    complete: (parameters) => client.complete(parameters),
    resources: () => client.listResources(),
    templates: () => client.listResourceTemplates(),
    read: (parameters) => client.readResource(parameters),
    subscribe: (uri) => client.subscribeResource({ uri }),
    unsubscribe: (uri) => client.unsubscribeResource({ uri }),
    logFrom: (level) => client.setLoggingLevel(level),
    close: () => client.close(),
    end: async () => {
      await way.terminateSession?.();
      await client.close();
    },
  };
}

await drive({
  open,
  reported: (error) => {
    if (!(error instanceof McpError || error instanceof StreamableHTTPError)) return undefined;
    const { code, message, data } = error;
    return { code, message, data };
  },
});
