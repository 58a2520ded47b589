/**
 * What the emulator takes of its callers at most, so that none of them can take it from the others.
 * `compute-emulator bounds` prints this table.
 */
export const boundTable = {
  connections: {
    default: 4_096,
    range: [1, 65_535],
    what: 'Connections open at a time, on each address; one more is hung up on.',
  },
  headerBytes: {
    default: 16_384,
    range: [1_024, 1_048_576],
    what: 'Bytes of a request line and its headers; more are answered 431.',
  },
  urlBytes: {
    default: 8_192,
    range: [128, 1_048_576],
    what: 'Bytes of a path and its query; more are answered 414.',
  },
  bodyBytes: {
    default: 536_870_912,
    range: [0, 4_294_967_296],
    what: "Bytes of a body, where the surface's own limit is not lower; more are answered 413.",
  },
  jsonDepth: {
    default: 1_000,
    range: [8, 2_000],
    what: 'How deep values may lie in each other in a JSON body; deeper ones are refused.',
  },
  headerMs: {
    default: 15_000,
    range: [100, 3_600_000],
    what: 'Real time that a request line and its headers may take to arrive; later is 408.',
  },
  requestMs: {
    default: 600_000,
    range: [100, 86_400_000],
    what: 'Real time that a whole request may take to arrive; later is 408.',
  },
  replyMs: {
    default: 60_000,
    range: [100, 86_400_000],
    what: 'Real time in which nothing of a reply is read before its line is cut.',
  },
  unreadBytes: {
    default: 67_108_864,
    range: [1_024, 4_294_967_296],
    what: 'Bytes of a stream or a WebSocket that may wait to be read before its line is cut.',
  },
  streams: {
    default: 1_024,
    range: [0, 65_535],
    what: 'Replies that come part by part, at a time; one more is answered 503.',
  },
  webSockets: {
    default: 1_024,
    range: [0, 65_535],
    what: 'WebSockets at a time, those included that are held; one more is answered 503.',
  },
  // Spec: 30 MB for requests to load-balancing endpoints; assumed of their messages, too.
  messageBytes: {
    default: 31_457_280,
    range: [125, 4_294_967_296],
    what: 'Bytes of a WebSocket message, all of its frames together; more close the line with 1009.',
  },
} as const satisfies Readonly<Record<string, Bound>>

interface Bound {
  readonly default: number
  /** The least and the most that it can be set to. */
  readonly range: readonly [least: number, most: number]
  readonly what: string
}

export type BoundName = keyof typeof boundTable
export type Bounds = Readonly<Record<BoundName, number>>

export const defaultBounds = Object.fromEntries(
  Object.entries(boundTable).map(([name, bound]) => [name, bound.default]),
) as Bounds
