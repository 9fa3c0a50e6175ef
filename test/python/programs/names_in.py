"""Prints the names in Python sources, of the language, and of the members of roles, as lists."""

import ast
import builtins
import json
import keyword
import sys

from acp_bindings._runtime.message import Message
from acp_bindings.v1 import Agent, Client, ConnectedAgent, ConnectedClient, Proxy
from acp_bindings.v1.mocks import MockAgent, MockClient

names = {*dir(builtins), *keyword.kwlist, *keyword.softkwlist, *dir(Message)}
for source in json.load(sys.stdin):
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Name):
            names.add(node.id)
        elif isinstance(node, ast.alias):
            names.add((node.asname or node.name).split(".")[0])
        elif isinstance(node, ast.arg):
            names.add(node.arg)
        elif isinstance(node, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            names.add(node.name)
kinds = (Agent, Client, ConnectedAgent, ConnectedClient, Proxy, MockAgent, MockClient)
members = {name for kind in kinds for name in dir(kind)}
members |= {*vars(MockAgent()), *vars(MockClient()), *vars(Proxy()), *keyword.kwlist}
json.dump({"names": sorted(names), "members": sorted(members)}, sys.stdout)
