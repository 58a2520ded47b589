/** Where a scenario's webhooks go: addresses that answer as the scenario says, without a network. */
import type { WebhookSender } from '../emulator/options.ts'
import type { Receiver } from '../model/scenario.ts'

const received = 200
const nobody = 0

/** `otherwise`: takes what is posted to other addresses. Nobody is there when it is absent. */
export function receive(receivers: readonly Receiver[], otherwise?: WebhookSender): WebhookSender {
  const calls = new Map<string, number>()
  return async (url, body, trace) => {
    const receiver = receivers.find((candidate) => candidate.url === url)
    if (receiver === undefined) return otherwise?.(url, body, trace) ?? nobody
    const call = calls.get(url) ?? 0
    calls.set(url, call + 1)
    return receiver.answers[call] ?? received
  }
}
