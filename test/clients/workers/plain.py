"""Returns what it gets, and where it ran."""
import os

import runpod


def handler(job):
    return {"input": job["input"], "worker": os.environ["RUNPOD_POD_ID"], "process": os.getpid()}


runpod.serverless.start({"handler": handler})
