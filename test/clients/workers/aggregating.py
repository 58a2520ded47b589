"""Streams words, and returns all of them."""
import runpod


async def handler(job):
    for word in job["input"]["words"]:
        yield word


runpod.serverless.start({"handler": handler, "return_aggregate_stream": True})
