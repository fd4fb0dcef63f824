"""Drives a server with the Python SDK.

    driver.py {legacy|modern} stdio COMMAND [ARGUMENT...]
    driver.py {legacy|modern} http URL TOKEN

Reads one instruction a line from standard input, answers each with one line on standard output. What the
instructions are is written in `src/instruction.rs`.
"""

import json
import os
import sys
from collections import defaultdict
from contextlib import AsyncExitStack
from math import inf
from typing import Any, Literal

import anyio
import httpx2
import mcp_types as types
from mcp import Client, StdioServerParameters
from mcp.client import ClaimContext, ClientExtension, ClientRequestContext, ResultClaim
from mcp.client.streamable_http import streamable_http_client
from mcp.client.subscriptions import SubscriptionLost
from mcp.shared.exceptions import MCPError


def plain(value):
    """What the SDK read, as it is on the wire."""
    return value.model_dump(mode="json", by_alias=True, exclude_none=True)


class Person:
    """Who sits behind the client: hears what the server says, and answers what it asks."""

    def __init__(self):
        self.notices = defaultdict(lambda: anyio.create_memory_object_stream(inf))
        self.answers = defaultdict(list)
        self.asked = defaultdict(list)

    def tell(self, notice, what):
        self.notices[notice][0].send_nowait(what)

    async def hears(self, notice):
        return await self.notices[notice][1].receive()

    async def answer(self, question, params, kind):
        """Gives the answer that is prepared, or waits until nobody asks any more."""
        self.asked[question].append(plain(params) if params else None)
        if not self.answers[question]:
            return types.ErrorData(code=types.INTERNAL_ERROR, message="the test expects no question")
        answer = self.answers[question].pop(0)
        if answer is None:
            try:
                await anyio.sleep_forever()
            finally:
                self.tell("withdrawn", None)
        return kind.model_validate(answer)

    async def fill_in(self, _context, params):
        return await self.answer("elicitation/create", params, types.ElicitResult)

    async def sample(self, _context, params):
        kind = types.CreateMessageResultWithTools if params.tools else types.CreateMessageResult
        return await self.answer("sampling/createMessage", params, kind)

    async def roots(self, _context):
        return await self.answer("roots/list", None, types.ListRootsResult)

    async def log(self, params):
        self.tell("log", plain(params))

    async def progress(self, progress, total, message):
        self.tell("progress", {"progress": progress, "total": total, "message": message})


class Begun(types.Result):
    """What `tools/call` gives where the call has become a task."""

    result_type: Literal["task"] = "task"
    task_id: str


class Now(types.Result):
    """What has become of a task."""

    status: str
    status_message: str | None = None
    poll_interval_ms: int = 0
    input_requests: types.InputRequests | None = None
    result: types.CallToolResult | None = None


class TaskRequest(types.Request[dict[str, Any], str]):
    name_param = "taskId"


class Tasks(ClientExtension):
    """The SDK has a place for the extension, and leaves the extension to the application."""

    identifier = "io.modelcontextprotocol/tasks"

    def __init__(self, person):
        self.person = person

    def claims(self):
        return [ResultClaim(result_type="task", model=Begun, resolve=self.resolve)]

    async def resolve(self, begun: Begun, context: ClaimContext):
        session, task = context.session, {"taskId": begun.task_id}
        try:
            async for now in self.look(session, task):
                if now.status == "completed":
                    return now.result
                answers = {}
                for key, request in (now.input_requests or {}).items():
                    asked = ClientRequestContext(session=session, request_id=key)
                    answers[key] = plain(await session.dispatch_input_request(asked, request))
                if answers:
                    answers = {**task, "inputResponses": answers}
                    await session.send_request(TaskRequest(method="tasks/update", params=answers), types.EmptyResult)
        except anyio.get_cancelled_exc_class():
            # Whoever gives up waiting cancels the task.
            with anyio.CancelScope(shield=True):
                await session.send_request(TaskRequest(method="tasks/cancel", params=task), types.EmptyResult)
                async for now in self.look(session, task):
                    if now.status == "cancelled":
                        break
            raise

    async def look(self, session, task):
        """What becomes of a task, asked for as often as the server wants to be asked."""
        while True:
            now = await session.send_request(TaskRequest(method="tasks/get", params=task), Now)
            self.person.tell("task", {"status": now.status, "message": now.status_message})
            yield now
            await anyio.sleep(now.poll_interval_ms / 1000)


class Driver:
    def __init__(self, mode, transport, arguments):
        self.legacy = mode == "legacy"
        self.transport = transport
        self.arguments = arguments

    async def open(self):
        self.person = person = Person()
        self.meta = None
        self.subscriptions = {}
        self.stack = AsyncExitStack()
        server = await getattr(self, self.transport)(*self.arguments)
        client = Client(
            server,
            mode="legacy" if self.legacy else "auto",
            message_handler=self.note if self.legacy else None,
            elicitation_callback=person.fill_in,
            sampling_callback=person.sample,
            sampling_capabilities=types.SamplingCapability(tools=types.SamplingToolsCapability()),
            list_roots_callback=person.roots,
            logging_callback=person.log,
            extensions=[Tasks(person)],
        )
        self.client = await self.stack.enter_async_context(client)
        self.tasks = await self.stack.enter_async_context(anyio.create_task_group())
        self.stack.callback(self.tasks.cancel_scope.cancel)
        tools = client.server_capabilities.tools
        if not self.legacy and tools and tools.list_changed:
            await self.listen("tools", None, tools_list_changed=True)

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
        """Legacy: notices come without being asked for."""
        if isinstance(message, types.ToolListChangedNotification):
            self.person.tell("tools", None)
        if isinstance(message, types.ResourceUpdatedNotification):
            self.person.tell("updated", plain(message.params))

    async def listen(self, notice, uri, **what):
        """Modern: notices need a subscription."""
        self.subscriptions[uri] = anyio.CancelScope()
        await self.tasks.start(self.watch, notice, uri, what)

    async def watch(self, notice, uri, what, *, task_status):
        listening = False
        with self.subscriptions[uri]:
            while True:
                try:
                    async with self.client.listen(**what) as subscription:
                        # Who was cut off listens again, which the SDK leaves to the application. What has
                        # changed until then is not told, so it counts as a change.
                        if listening:
                            self.person.tell(notice, {"uri": uri})
                        else:
                            listening = True
                            task_status.started()
                        async for event in subscription:
                            self.person.tell(notice, {"uri": getattr(event, "uri", None)})
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
        called = self.client.call_tool(name, arguments, progress_callback=self.person.progress, meta=self.meta)
        return plain(await called)

    async def prompts(self):
        return plain(await self.client.list_prompts(cache_mode="refresh"))

    async def prompt(self, name, arguments):
        return plain(await self.client.get_prompt(name, arguments))

    async def complete(self, of, argument, typed, chosen):
        kind = types.PromptReference if of["type"] == "ref/prompt" else types.ResourceTemplateReference
        argument = {"name": argument, "value": typed}
        return plain(await self.client.complete(kind.model_validate(of), argument, chosen))

    async def resources(self):
        return plain(await self.client.list_resources(cache_mode="refresh"))

    async def read(self, uri):
        return plain(await self.client.read_resource(uri, cache_mode="refresh"))

    async def templates(self):
        return plain(await self.client.list_resource_templates(cache_mode="refresh"))

    async def subscribe(self, uri):
        if self.legacy:
            await self.client.subscribe_resource(uri)
        else:
            await self.listen("updated", uri, resource_subscriptions=[uri])
        return {}

    async def unsubscribe(self, uri):
        if self.legacy:
            await self.client.unsubscribe_resource(uri)
        else:
            self.subscriptions.pop(uri).cancel()
        return {}

    async def log_from(self, level):
        if self.legacy:
            await self.client.set_logging_level(level)
        else:
            self.meta = {types.LOG_LEVEL_META_KEY: level}
        return {}

    async def heard(self, notice):
        return await self.person.hears(notice)

    async def will_answer(self, question, answer):
        self.person.answers[question].append(answer)
        return {}

    async def asked(self, question):
        return {"asked": self.person.asked.pop(question, [])}

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
