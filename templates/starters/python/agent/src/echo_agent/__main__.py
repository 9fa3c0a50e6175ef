"""Connects the agent to standard input and output."""

import asyncio

from .acp import serve
from .agent import create_agent


def main() -> None:
    asyncio.run(serve(create_agent()))


if __name__ == "__main__":
    main()
