"""Connects the agent to standard input and output, or serves it with `--remote <port>`."""

import argparse
import asyncio

from .acp import serve
from .agent import create_agent


def main() -> None:
    parser = argparse.ArgumentParser(description="An agent, which an editor starts.")
    parser.add_argument("--remote", type=int, metavar="PORT", help="serve it over HTTP")
    port: int | None = parser.parse_args().remote
    if port is None:
        asyncio.run(serve(create_agent()))
    else:
        from .serve import serve_remotely

        serve_remotely(port)


if __name__ == "__main__":
    main()
