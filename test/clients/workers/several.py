"""Runs several jobs at a time; each ends when as many have come as it was told to wait for."""
import asyncio

import runpod

present = 0


async def handler(job):
    global present
    present += 1
    while present < job["input"]["together"]:
        await asyncio.sleep(0.05)
    return present


runpod.serverless.start({"handler": handler, "concurrency_modifier": lambda current: 3})
