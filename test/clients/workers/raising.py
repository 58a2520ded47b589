"""Fails, in the two ways there are."""
import runpod


def handler(job):
    if job["input"].get("raise"):
        raise ValueError("boom ü")
    return {"error": "soft", "detail": 1}


runpod.serverless.start({"handler": handler})
