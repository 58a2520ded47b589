/** What a caller of a language model asks for, in each of the forms that its worker takes. */

export interface Call {
  /** `/v1/chat/completions`; undefined for the worker's own, older form. */
  readonly route: unknown
  readonly body: unknown
}

/** What matters of a request in OpenAI's form. Nobody has checked it. */
export interface ChatBody {
  readonly model?: unknown
  readonly messages?: unknown
  readonly prompt?: unknown
  readonly stream?: unknown
  readonly stream_options?: { readonly include_usage?: unknown } | null
  readonly max_tokens?: unknown
  readonly max_completion_tokens?: unknown
}

/** Observed: the gateway sends `openai_route`, others `route`, and the oldest form has neither. */
export function readCall(input: unknown): Call {
  if (!isObject(input)) return { route: undefined, body: { prompt: input } }
  const { openai_route, openai_input, route, body } = input
  if (openai_route !== undefined) return { route: openai_route, body: openai_input }
  if (route !== undefined) return { route, body }
  return { route: undefined, body: input }
}

export function bodyOf({ body }: Call): ChatBody | undefined {
  return isObject(body) ? body : undefined
}

/** The last thing the user said; undefined when nothing was said at all. */
export function promptOf(body: ChatBody | undefined): string | undefined {
  if (Array.isArray(body?.messages)) {
    const messages: readonly unknown[] = body.messages
    const last = messages.findLast((message) => isObject(message) && message.role === 'user')
    return isObject(last) ? textOf(last.content) : ''
  }
  return body?.prompt === undefined ? undefined : textOf(body.prompt)
}

/** A text, or a list of texts or of parts that have some. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  if (Array.isArray(content)) return content.map(textOf).join('')
  return isObject(content) && typeof content.text === 'string' ? content.text : ''
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A flat object as Python prints a dict. */
export function reprOf(value: Readonly<Record<string, string | null>>): string {
  const items = Object.entries(value).map(([key, item]) => `'${key}': ${reprItem(item)}`)
  return `{${items.join(', ')}}`
}

function reprItem(item: string | null): string {
  if (item === null) return 'None'
  return item.includes("'") ? `"${item}"` : `'${item}'`
}
