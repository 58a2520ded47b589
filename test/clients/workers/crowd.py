"""One of many: dies or stops dead with a job that tells it to, the first time."""
import os
import signal
import time

import runpod


def first_time(mark):
    try:
        os.close(os.open(mark, os.O_CREAT | os.O_EXCL))
        return True
    except FileExistsError:
        return False


def handler(job):
    given = job["input"]
    with open(os.environ["NOTES"], "a") as notes:
        notes.write(f"{job['id']}\n")
    if given.get("die") and first_time(given["die"]):
        os.kill(os.getpid(), signal.SIGKILL)
    if given.get("hang") and first_time(given["hang"]):
        os.killpg(os.getpgid(0), signal.SIGSTOP)
    time.sleep(0.05)
    return given["number"]


runpod.serverless.start({"handler": handler})
