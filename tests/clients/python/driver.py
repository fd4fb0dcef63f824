"""Drives a server over stdio with the Python SDK.

    driver.py {legacy|modern} COMMAND [ARGUMENT...]

Reads one instruction a line from standard input, answers each with one line on standard output. What the
instructions are is written in `src/session.rs`.
"""

import json
import os
import sys

import anyio
import mcp_types as types
from mcp import Client, StdioServerParameters
from mcp.shared.exceptions import MCPError


def plain(value):
    """What the SDK read, as it is on the wire."""
    return value.model_dump(mode="json", by_alias=True, exclude_none=True)


class Driver:
    def __init__(self, client, tasks):
        self.client = client
        self.tasks = tasks
        self.changes = anyio.Semaphore(0)

    async def watch(self):
        """Counts the notices that the list of tools has changed (modern: they need a subscription)."""
        ready = anyio.Event()

        async def listen():
            async with self.client.listen(tools_list_changed=True) as subscription:
                ready.set()
                async for _ in subscription:
                    self.changes.release()

        self.tasks.start_soon(listen)
        await ready.wait()

    async def hello(self):
        client = self.client
        return {
            "protocol": client.protocol_version,
            "server": plain(client.server_info) if client.server_info else None,
            "capabilities": plain(client.server_capabilities),
            "instructions": client.instructions,
        }

    async def tools(self):
        # A server's cache hint must not hide a change from the test.
        return plain(await self.client.list_tools(cache_mode="refresh"))

    async def call(self, name, arguments):
        return plain(await self.client.call_tool(name, arguments))

    async def resources(self):
        return plain(await self.client.list_resources(cache_mode="refresh"))

    async def read(self, uri):
        return plain(await self.client.read_resource(uri, cache_mode="refresh"))

    async def changed(self):
        await self.changes.acquire()
        return {}

    async def cancel(self, name, arguments):
        """Starts a call and gives it up once the server has it."""
        answered = []

        async def call():
            answered.append(await self.call(name, arguments))

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(call)
            # Whatever is answered after the call was sent proves that the server has read the call.
            await anyio.wait_all_tasks_blocked()
            await self.tools()
            tasks.cancel_scope.cancel()
        return {"answered": answered}


async def instructions():
    async for line in anyio.wrap_file(sys.stdin):
        yield json.loads(line)


async def main():
    mode, command, *arguments = sys.argv[1:]
    server = StdioServerParameters(command=command, args=arguments, env=dict(os.environ))

    async def note(message):
        if isinstance(message, types.ToolListChangedNotification):
            driver.changes.release()

    legacy = mode == "legacy"
    client = Client(server, mode="legacy" if legacy else "auto", message_handler=note if legacy else None)
    async with client, anyio.create_task_group() as tasks:
        driver = Driver(client, tasks)
        tools = client.server_capabilities.tools
        if not legacy and tools and tools.list_changed:
            await driver.watch()
        async for instruction in instructions():
            operation = getattr(driver, instruction.pop("op"))
            try:
                answer = {"ok": await operation(**instruction)}
            except MCPError as error:
                answer = {"error": plain(error.error)}
            print(json.dumps(answer), flush=True)
        tasks.cancel_scope.cancel()


anyio.run(main)
