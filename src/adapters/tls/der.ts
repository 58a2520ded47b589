/**
 * DER, the encoding that certificates are written in: each value is a tag, its length, and its bytes.
 *
 * Only what a certificate needs. The tags' names are those of X.680.
 */

const tags = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  objectId: 0x06,
  utf8String: 0x0c,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
} as const

function encode(tag: number, content: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from([tag]), lengthOf(content), content])
}

/** Below 128 the length is one byte; above, the first byte says how many follow. */
function lengthOf({ length }: Uint8Array): Buffer {
  if (length < 0x80) return Buffer.from([length])
  const bytes: number[] = []
  for (let rest = length; rest > 0; rest >>>= 8) bytes.unshift(rest & 0xff)
  return Buffer.from([0x80 | bytes.length, ...bytes])
}

export const sequence = (...items: readonly Uint8Array[]): Buffer =>
  encode(tags.sequence, Buffer.concat(items))

export const set = (...items: readonly Uint8Array[]): Buffer =>
  encode(tags.set, Buffer.concat(items))

export const boolean = (value: boolean): Buffer =>
  encode(tags.boolean, Buffer.from([value ? 0xff : 0]))

/** A number that is not negative: a leading bit of 1 would make it so. */
export const integer = (bytes: Uint8Array): Buffer => {
  const isNegative = ((bytes[0] ?? 0) & 0x80) !== 0
  return encode(tags.integer, isNegative ? Buffer.concat([Buffer.from([0]), bytes]) : bytes)
}

/** `unused`: bits at the end of the last byte that do not count. */
export const bitString = (bytes: Uint8Array, unused = 0): Buffer =>
  encode(tags.bitString, Buffer.concat([Buffer.from([unused]), bytes]))

export const octetString = (bytes: Uint8Array): Buffer => encode(tags.octetString, bytes)

export const utf8String = (text: string): Buffer => encode(tags.utf8String, Buffer.from(text))

/** `2.5.29.17`: the first two numbers share a byte, the others are in base 128. */
export function objectId(dotted: string): Buffer {
  const [first = 0, second = 0, ...others] = dotted.split('.').map(Number)
  const bytes = others.flatMap((number) => {
    const digits = [number & 0x7f]
    for (let rest = number >>> 7; rest > 0; rest >>>= 7) digits.unshift((rest & 0x7f) | 0x80)
    return digits
  })
  return encode(tags.objectId, Buffer.from([first * 40 + second, ...bytes]))
}

/** RFC 5280, 4.1.2.5: two digits for the year until 2049, and four after that. */
export function time(ms: number): Buffer {
  const digits = new Date(ms).toISOString().replace(/\.\d+|[-:T]/g, '')
  return Number(digits.slice(0, 4)) < 2050
    ? encode(tags.utcTime, Buffer.from(digits.slice(2)))
    : encode(tags.generalizedTime, Buffer.from(digits))
}

/** A field that its number tells, in place of its type: of a value that is itself made of values. */
export const explicit = (number: number, content: Uint8Array): Buffer =>
  encode(0xa0 | number, content)

/** The same, of a value that is bytes. */
export const implicit = (number: number, content: Uint8Array): Buffer =>
  encode(0x80 | number, content)
