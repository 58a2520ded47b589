"""Says how far it is, and goes on when it finds the file that it was told of."""
import os
import time

import runpod


def handler(job):
    runpod.serverless.progress_update(job, "half way")
    while not os.path.exists(job["input"]["until"]):
        time.sleep(0.05)
    return "all the way"


runpod.serverless.start({"handler": handler})
