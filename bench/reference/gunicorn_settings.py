"""How gunicorn serves the floor of `bench.placing`: with the processes, threads and connections of the application."""

from __future__ import annotations

import os

worker_class = "gthread"
workers = int(os.environ["WORKERS"])
threads = int(os.environ["THREADS"])
keepalive = 75
loglevel = "warning"
control_socket_disable = True
