// Drives a server with `@modelcontextprotocol/sdk`, the 1.x line, which speaks the legacy era only.

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport, StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { McpError } from '@modelcontextprotocol/sdk/types.js';

import { Changes, drive, transport } from './driver.mjs';

const [, ...server] = process.argv.slice(2);

async function open() {
  const changes = new Changes();
  const client = new Client(
    { name: 'agent-mcp-tests', version: '1.0.0' },
    { listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged: () => changes.happened() } } },
  );
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
    call: (parameters, signal) => client.callTool(parameters, undefined, { signal }),
    resources: () => client.listResources(),
    read: (parameters) => client.readResource(parameters),
    changes,
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
