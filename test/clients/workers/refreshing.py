"""Wants a new worker after each job."""
import os

import runpod


def handler(job):
    return os.getpid()


runpod.serverless.start({"handler": handler, "refresh_worker": True})
