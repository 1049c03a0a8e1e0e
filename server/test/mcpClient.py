"""Calls tools with the official Python client and prints what came back, as JSON.

Usage: mcpClient.py '{"url": …} or {"command": …, "args": […], "env": {…}, "cwd": …}' YES|NO|NONE
"""

import asyncio
import json
import sys

from mcp import Client, StdioServerParameters
from mcp.types import ElicitResult

target = json.loads(sys.argv[1])
answer = sys.argv[2]
asked = []


async def elicit(_context, params):
    asked.append(params.message)
    return ElicitResult(action="accept", content={"pay": answer == "YES"})


async def main():
    server = target["url"] if "url" in target else StdioServerParameters(**target)
    callback = None if answer == "NONE" else elicit
    async with Client(server, elicitation_callback=callback) as client:
        tools = (await client.list_tools()).tools
        vaults = await client.call_tool("assay_vaults", {})
        node = await client.call_tool(
            "assay_risk_node",
            {"nodeId": "chain:base", **({} if "url" in target else {"maxAgeSeconds": 0})},
        )
        print(
            json.dumps(
                {
                    "protocol": str(client.protocol_version),
                    "tools": [tool.name for tool in tools],
                    "vaults": vaults.structured_content,
                    "texts": len(vaults.content),
                    "node": node.structured_content,
                    "isError": bool(node.is_error),
                    "asked": asked,
                }
            )
        )


asyncio.run(main())
