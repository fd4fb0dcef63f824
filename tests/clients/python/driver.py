"""Drives a server with the Python SDK.

    driver.py {legacy|modern} stdio COMMAND [ARGUMENT...]
    driver.py {legacy|modern} http URL TOKEN

Reads one instruction a line from standard input, answers each with one line on standard output. What the
instructions are is written in `src/session.rs`.
"""

import json
import os
import sys
from contextlib import AsyncExitStack

import anyio
import httpx2
import mcp_types as types
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp.client.subscriptions import SubscriptionLost
from mcp.shared.exceptions import MCPError


def plain(value):
    """What the SDK read, as it is on the wire."""
    return value.model_dump(mode="json", by_alias=True, exclude_none=True)


class Driver:
    def __init__(self, mode, transport, arguments):
        self.legacy = mode == "legacy"
        self.transport = transport
        self.arguments = arguments

    async def open(self):
        self.changes = anyio.Semaphore(0)
        self.stack = AsyncExitStack()
        server = await getattr(self, self.transport)(*self.arguments)
        if self.legacy:
            client = Client(server, mode="legacy", message_handler=self.note)
        else:
            client = Client(server, mode="auto")
        self.client = await self.stack.enter_async_context(client)
        self.tasks = await self.stack.enter_async_context(anyio.create_task_group())
        self.stack.callback(self.tasks.cancel_scope.cancel)
        tools = client.server_capabilities.tools
        if not self.legacy and tools and tools.list_changed:
            await self.tasks.start(self.watch)

    async def close(self):
        await self.stack.aclose()

    async def stdio(self, command, *arguments):
        return StdioServerParameters(command=command, args=list(arguments), env=dict(os.environ))

    async def http(self, url, token):
        # A stream may be silent for longer than a call.
        http_client = httpx2.AsyncClient(
            headers={"Authorization": f"Bearer {token}"}, timeout=httpx2.Timeout(30, read=300)
        )
        await self.stack.enter_async_context(http_client)
        return streamable_http_client(url, http_client=http_client)

    async def note(self, message):
        """Legacy: counts the notices that the list of tools has changed."""
        if isinstance(message, types.ToolListChangedNotification):
            self.changes.release()

    async def watch(self, *, task_status):
        """Modern: counts the notices, which need a subscription."""
        listening = False
        while True:
            try:
                async with self.client.listen(tools_list_changed=True) as subscription:
                    # Who was cut off listens again, which the SDK leaves to the application. What has
                    # changed until then is not told, so it counts as a change.
                    if listening:
                        self.changes.release()
                    else:
                        listening = True
                        task_status.started()
                    async for _ in subscription:
                        self.changes.release()
                    return
            except SubscriptionLost:
                pass

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

    async def start(self, name, arguments):
        self.answered = []
        self.ended = anyio.Event()
        self.started = anyio.CancelScope()

        async def call():
            with self.started:
                try:
                    self.answered.append(await self.call(name, arguments))
                except MCPError as error:
                    self.answered.append(error)
            self.ended.set()

        self.tasks.start_soon(call)
        # It is sent before anything that follows.
        await anyio.wait_all_tasks_blocked()
        return {}

    async def finish(self):
        await self.ended.wait()
        [answer] = self.answered
        if isinstance(answer, MCPError):
            raise answer
        return answer

    async def give_up(self):
        self.started.cancel()
        await self.ended.wait()
        return {"answered": self.answered}

    async def reopen(self):
        await self.close()
        await self.open()
        return {}


async def instructions():
    async for line in anyio.wrap_file(sys.stdin):
        yield json.loads(line)


async def main():
    mode, transport, *arguments = sys.argv[1:]
    driver = Driver(mode, transport, arguments)
    await driver.open()
    async for instruction in instructions():
        operation = getattr(driver, instruction.pop("op"))
        try:
            answer = {"ok": await operation(**instruction)}
        except MCPError as error:
            answer = {"error": plain(error.error)}
        print(json.dumps(answer), flush=True)
    await driver.close()


anyio.run(main)
