// Drives a server over stdio with `@modelcontextprotocol/sdk`, the 1.x line, which speaks the legacy era.
//
//     driver-sdk.mjs legacy COMMAND [ARGUMENT...]

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { McpError } from '@modelcontextprotocol/sdk/types.js';

import { Changes, drive } from './driver.mjs';

const [, command, ...args] = process.argv.slice(2);
const changes = new Changes();
const client = new Client(
  { name: 'agent-mcp-tests', version: '1.0.0' },
  { listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged: () => changes.happened() } } },
);
const transport = new StdioClientTransport({ command, args, env: process.env, stderr: 'inherit' });
// The SDK tells the negotiated version to the transport only.
let protocol;
transport.setProtocolVersion = (version) => {
  protocol = version;
};
await client.connect(transport);

await drive({
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
  isError: (error) => error instanceof McpError,
});
await client.close();
