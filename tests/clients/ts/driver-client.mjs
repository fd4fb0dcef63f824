// Drives a server over stdio with `@modelcontextprotocol/client`, which speaks both eras.
//
//     driver-client.mjs {legacy|modern} COMMAND [ARGUMENT...]

import { Client, ProtocolError } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

import { Changes, drive } from './driver.mjs';

const [mode, command, ...args] = process.argv.slice(2);
const changes = new Changes();
const client = new Client(
  { name: 'agent-mcp-tests', version: '1.0.0' },
  {
    versionNegotiation: { mode: mode === 'legacy' ? 'legacy' : 'auto' },
    listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged: () => changes.happened() } },
  },
);
await client.connect(new StdioClientTransport({ command, args, env: process.env, stderr: 'inherit' }));

// A server's cache hint must not hide a change from the test.
const fresh = { cacheMode: 'refresh' };

await drive({
  hello: async () => ({
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
  isError: (error) => error instanceof ProtocolError,
});
await client.close();
