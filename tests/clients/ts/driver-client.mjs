// Drives a server with `@modelcontextprotocol/client`, which speaks both eras.

import { Client, ProtocolError, SdkHttpError, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

import { Changes, drive, transport } from './driver.mjs';

const [mode, ...server] = process.argv.slice(2);

// A server's cache hint must not hide a change from the test.
const fresh = { cacheMode: 'refresh' };

async function open() {
  const changes = new Changes();
  const client = new Client(
    { name: 'agent-mcp-tests', version: '1.0.0' },
    {
      versionNegotiation: { mode: mode === 'legacy' ? 'legacy' : 'auto' },
      listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged: () => changes.happened() } },
    },
  );
  const way = transport({ StdioClientTransport, StreamableHTTPClientTransport }, server);
  await client.connect(way);
  let isOpen = true;
  // Modern: who was cut off listens again, which the SDK leaves to the application. What has changed until
  // then is not told, so it counts as a change.
  const watch = async (subscription) => {
    while (subscription && (await subscription.closed) === 'remote' && isOpen) {
      subscription = await client.listen({ toolsListChanged: true });
      changes.happened();
    }
  };
  watch(client.autoOpenedSubscription);
  const close = () => {
    isOpen = false;
    return client.close();
  };
  return {
    hello: () => ({
      protocol: client.getNegotiatedProtocolVersion(),
      server: client.getServerVersion(),
      capabilities: client.getServerCapabilities(),
      instructions: client.getInstructions(),
    }),
    tools: () => client.listTools({}, fresh),
    call: (parameters, signal) => client.callTool(parameters, { signal }),
    resources: () => client.listResources({}, fresh),
    read: (parameters) => client.readResource(parameters, fresh),
    changes,
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
