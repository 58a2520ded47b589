/** Posts a job's result to the address its caller gave. The only calls the emulator ever makes. */
import type { WebhookSender } from '../../emulator/options.ts'
import { createTargets } from './webhook-targets.ts'

/** Real time: how long a receiver may take. */
const timeoutMs = 10_000

/** Withholds what goes elsewhere than to `targets`, where there are some. */
export function createWebhookSender(targets: readonly string[] | undefined): WebhookSender {
  if (targets === undefined) return sendWebhook
  const isTarget = createTargets(targets)
  return async (url, body, trace) => (isTarget(url) ? sendWebhook(url, body, trace) : 'withheld')
}

/** Observed: the headers of the real service. Resolves to the status, 0 for no answer. */
async function sendWebhook(url: string, body: string, trace: string): Promise<number> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      body,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Go-http-client/2.0',
        traceparent: trace,
      },
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    })
    await response.body?.cancel()
    return response.status
  } catch {
    // Whatever went wrong out there, what matters is that there was no answer.
    return 0
  }
}
