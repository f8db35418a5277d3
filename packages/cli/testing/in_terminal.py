"""Runs a command in a terminal of 80 columns, and prints all that it has shown there: python3 in_terminal.py COMMAND...
The lines of the variable TYPED are typed, one whenever the command waits after a colon."""
import fcntl
import os
import pty
import struct
import sys
import termios

pid, terminal = pty.fork()
if pid == 0:
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    os.execvp(sys.argv[1], sys.argv[1:])
shown = b""
typed = os.environ.get("TYPED", "").splitlines()
while True:
    try:
        piece = os.read(terminal, 65536)
    except OSError:  # how Linux says that the other side has closed
        break
    if not piece:
        break
    shown += piece
    if typed and shown.endswith(b": "):
        os.write(terminal, typed.pop(0).encode() + b"\r")
sys.stdout.buffer.write(shown.replace(b"\r\n", b"\n"))
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
