"""Streams words and collects none of them."""
import runpod


def handler(job):
    for word in job["input"]["words"]:
        yield {"word": word}


runpod.serverless.start({"handler": handler})
