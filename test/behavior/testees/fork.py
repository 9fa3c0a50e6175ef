"""Forks a testee for each line of standard input, a name: fork.py <socket> <program> <arguments>

The testee connects its standard streams to the socket, each with a line: its name, its process id, the
number of the stream. Standard output gets a line for each testee that has ended: its name and exit code.
"""

import contextlib
import os
import pkgutil
import runpy
import signal
import socket
import sys

import acp_bindings._runtime

PATH, PROGRAM = sys.argv[1:3]
sys.argv[:] = sys.argv[2:]


def connect(name, stream):
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(PATH)
        connection.sendall(f"{name} {os.getpid()} {stream}\n".encode())
        os.dup2(connection.fileno(), stream)


for module in pkgutil.walk_packages(acp_bindings._runtime.__path__, "acp_bindings._runtime."):
    with contextlib.suppress(ImportError):
        __import__(module.name)
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
for line in open(0, "rb", buffering=0, closefd=False):
    if os.fork() == 0:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        name = line.decode().strip()
        if testee := os.fork():
            _, status = os.waitpid(testee, 0)
            os.write(1, f"{name} {os.waitstatus_to_exitcode(status)}\n".encode())
            os._exit(0)
        os.setsid()
        for stream in range(3):
            connect(name, stream)
        runpy.run_path(PROGRAM, run_name="__main__")
        sys.exit()
