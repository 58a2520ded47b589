"""Blocks its whole process for as long as it is told, and so hears of nothing."""
import time

import runpod


def handler(job):
    time.sleep(job["input"]["seconds"])
    return "awake"


runpod.serverless.start({"handler": handler})
