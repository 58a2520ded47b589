/**
 * A simulated worker that speaks as OpenAI does, the way the public vLLM worker does: what it yields
 * is text of server-sent events when it streams, and one object when it does not.
 */
import type { Handler, OpenaiHandler } from '../../model/handler.ts'
import type { HandlerStep, Job } from '../../model/job.ts'
import type { World } from '../../world/world.ts'
import { bodyOf, type Call, type ChatBody, promptOf, readCall, reprOf } from './openai-call.ts'

type Speaker = Handler & { readonly openai: OpenaiHandler }

export const isSpeaker = (handler: Handler): handler is Speaker => handler.openai !== undefined

/** One run: whose job, and who speaks. */
interface Run {
  readonly world: World
  readonly handler: Speaker
  readonly job: Job
}

interface Answer {
  readonly tokens: readonly string[]
  readonly finish: 'stop' | 'length'
  readonly usage: {
    readonly prompt_tokens: number
    readonly completion_tokens: number
    readonly total_tokens: number
  }
}

type StreamStep = Extract<HandlerStep, { does: 'stream' }>

/** An answer longer than this is cut, whatever the caller asks for. */
const longestAnswer = 4_096

/** All that the run will do. Never empty. */
export function planOpenai(world: World, handler: Speaker, job: Job): HandlerStep[] {
  const run = { world, handler, job }
  const call = readCall(job.request.input)
  switch (call.route) {
    case '/v1/chat/completions':
      return planChat(run, call)
    case '/v1/completions':
      return planCompletion(run, call)
    case '/v1/models':
      return planModels(run)
    case undefined:
      return planPlain(run, call)
    default:
      return refuse(run, 'Not Found')
  }
}

function planChat(run: Run, call: Call): HandlerStep[] {
  const body = bodyOf(call)
  if (!Array.isArray(body?.messages)) return refuse(run, 'messages: field required')
  const answer = answerTo(run, body)
  const { tokens, finish, usage } = answer
  const choice = (more: object) => ({ index: 0, logprobs: null, ...more })
  if (body.stream === true) {
    return stream(run, body, { object: 'chat.completion.chunk', usage }, [
      choice({ delta: { role: 'assistant', content: '' }, finish_reason: null }),
      ...tokens.map((content) => choice({ delta: { content }, finish_reason: null })),
      choice({ delta: {}, finish_reason: finish }),
    ])
  }
  const message = { role: 'assistant', content: tokens.join(''), refusal: null }
  const choices = [choice({ message, finish_reason: finish })]
  return whole(run, answer, { ...headOf(run, body, 'chat.completion'), choices, usage })
}

function planCompletion(run: Run, call: Call): HandlerStep[] {
  const body = bodyOf(call)
  if (body?.prompt === undefined) return refuse(run, 'prompt: field required')
  const answer = answerTo(run, body)
  const { tokens, finish, usage } = answer
  const object = 'text_completion'
  const choice = (text: string, finish_reason: string | null) => ({
    index: 0,
    logprobs: null,
    text,
    finish_reason,
  })
  if (body.stream === true) {
    return stream(run, body, { object, usage }, [
      ...tokens.map((token) => choice(token, null)),
      choice('', finish),
    ])
  }
  const choices = [choice(tokens.join(''), finish)]
  return whole(run, answer, { ...headOf(run, body, object), choices, usage })
}

function planModels(run: Run): HandlerStep[] {
  const { model } = run.handler.openai
  const data = [{ id: model, object: 'model', created: createdS(run), owned_by: 'vllm' }]
  const afterMs = run.world.waitMs('jobExecutionMs')
  return yieldAll([{ does: 'stream', afterMs, output: { object: 'list', data } }])
}

/** Observed: the form of a public text endpoint, and of the vLLM worker without a route. */
function planPlain(run: Run, call: Call): HandlerStep[] {
  const body = bodyOf(call)
  if (body === undefined || promptOf(body) === undefined) {
    return refuse(run, 'prompt or messages: field required')
  }
  const answer = answerTo(run, body)
  const { usdPerMillionTokens: price } = run.handler.openai
  const { prompt_tokens: input, completion_tokens: output, total_tokens } = answer.usage
  const cost = price === undefined ? {} : { cost: toUsd((total_tokens * price) / 1_000_000) }
  const choices = [{ tokens: [answer.tokens.join('')] }]
  return whole(run, answer, { choices, ...cost, usage: { input, output } })
}

/** Observed: what a worker reports as its error is a Python dict, printed. */
function refuse({ world }: Run, message: string): HandlerStep[] {
  const error = reprOf({ message, type: 'worker_error', code: null })
  return [{ does: 'fail', afterMs: world.waitMs('jobExecutionMs'), error }]
}

function answerTo({ handler }: Run, body: ChatBody): Answer {
  const prompt = promptOf(body) ?? ''
  const said = handler.openai.text.replaceAll('{{prompt}}', () => prompt)
  const asked = Number(body.max_completion_tokens ?? body.max_tokens) || longestAnswer
  const limit = Math.max(1, Math.min(asked, longestAnswer))
  const all = toTokens(said)
  const tokens = all.slice(0, limit)
  // Assumed: about four characters to a token.
  const prompt_tokens = Math.ceil(prompt.length / 4)
  const completion_tokens = tokens.length
  const total_tokens = prompt_tokens + completion_tokens
  return {
    tokens,
    finish: all.length > limit ? 'length' : 'stop',
    usage: { prompt_tokens, completion_tokens, total_tokens },
  }
}

/** One chunk of text for each event, and `[DONE]` at the end of what went well. */
function stream(
  run: Run,
  body: ChatBody,
  { object, usage }: { readonly object: string; readonly usage: Answer['usage'] },
  choices: readonly object[],
): HandlerStep[] {
  const head = headOf(run, body, object)
  const withUsage = body.stream_options?.include_usage === true
  const rest = withUsage ? { usage: null } : {}
  const chunks = choices.map((choice) => toEvent({ ...head, choices: [choice], ...rest }))
  if (withUsage) chunks.push(toEvent({ ...head, choices: [], usage }))
  const steps = chunks.map((output, index): StreamStep => {
    return { does: 'stream', afterMs: index === 0 ? firstTokenMs(run) : tokenMs(run), output }
  })
  const { error } = run.handler
  if (error !== undefined) return [...steps, { does: 'fail', afterMs: 0, error }]
  return yieldAll([...steps, { does: 'stream', afterMs: 0, output: 'data: [DONE]\n\n' }])
}

/** It takes as long as it would have taken to stream. */
function whole(run: Run, { tokens }: Answer, output: object): HandlerStep[] {
  const afterMs = firstTokenMs(run) + tokens.length * tokenMs(run)
  const { error } = run.handler
  if (error !== undefined) return [{ does: 'fail', afterMs, error }]
  return yieldAll([{ does: 'stream', afterMs, output }])
}

/** Observed: the worker streams, and in the end returns all that it has streamed. */
function yieldAll(steps: readonly StreamStep[]): HandlerStep[] {
  const output = steps.map((step) => step.output)
  return [...steps, { does: 'return', afterMs: 0, output }]
}

/** Assumed: whatever model the caller names is the one that answers. */
function headOf(run: Run, { model }: ChatBody, object: string): object {
  const prefix = object === 'text_completion' ? 'cmpl' : 'chatcmpl'
  return {
    id: `${prefix}-${run.job.id}`,
    object,
    created: createdS(run),
    model: typeof model === 'string' ? model : run.handler.openai.model,
  }
}

const createdS = ({ world }: Run): number => Math.floor(world.nowMs / 1_000)

function firstTokenMs({ world, handler }: Run): number {
  const { delayMs } = handler
  if (delayMs === undefined) return Math.round(world.waitMs('jobExecutionMs'))
  return Math.round(world.random.stream('handlers').duration(delayMs))
}

function tokenMs({ world, handler }: Run): number {
  return Math.round(world.random.stream('handlers').duration(handler.openai.tokenMs))
}

const toEvent = (data: unknown): string => `data: ${JSON.stringify(data)}\n\n`

/** Words with the blank before them; long ones in parts. Joined, they are the text again. */
function toTokens(text: string): string[] {
  // No more than is ever said, and one to see that there is more.
  const enough = text.slice(0, (longestAnswer + 1) * 26)
  return enough.match(/\s?\S{1,12}|\s{1,12}/gu) ?? []
}

/** Without the noise of binary fractions. */
const toUsd = (amount: number): number => Number(amount.toFixed(8))
