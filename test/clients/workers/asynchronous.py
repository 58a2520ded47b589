"""An asynchronous handler, which can be told to stop; it writes down what becomes of it."""
import asyncio
import os

import runpod


def note(text):
    with open(os.environ["NOTES"], "a") as notes:
        notes.write(f"{text}\n")


async def handler(job):
    note(f"started {job['id']}")
    try:
        await asyncio.sleep(job["input"].get("seconds", 0))
    except asyncio.CancelledError:
        note(f"cancelled {job['id']}")
        raise
    note(f"ended {job['id']}")
    return "slept"


runpod.serverless.start({"handler": handler})
