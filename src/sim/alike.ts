/**
 * One object in the place of many that say the same. Tuned, because what is made in large numbers is
 * often made alike: of a hundred thousand pods of one kind, all but their names is the same. Only for
 * plain data that nobody edits.
 */
export class Alike<Value> {
  #last: Value | undefined

  /** The value, or in its place the one before if that says the same. */
  of(value: Value): Value {
    if (this.#last === undefined || !isAlike(this.#last, value)) this.#last = value
    return this.#last
  }
}

/** What was made of a key is given out again for as long as the key is the same. */
export function remembering<Key, Value>(make: (key: Key) => Value): (key: Key) => Value {
  let last: { readonly key: Key; readonly value: Value } | undefined
  return (key) => {
    if (last?.key !== key) last = { key, value: make(key) }
    return last.value
  }
}

/** True where both become the same text of JSON: the order of fields counts. */
function isAlike(left: unknown, right: unknown): boolean {
  if (left === right) return true
  if (typeof left !== 'object' || typeof right !== 'object') return false
  if (left === null || right === null) return false
  if (!Array.isArray(left)) return !Array.isArray(right) && haveSameFields(left, right)
  if (!Array.isArray(right) || left.length !== right.length) return false
  for (let index = 0; index < left.length; index++) {
    if (!isAlike(left[index], right[index])) return false
  }
  return true
}

type Fields = Readonly<Record<string, unknown>>

function haveSameFields(left: object, right: object): boolean {
  const [names, others] = [Object.keys(left), Object.keys(right)]
  if (names.length !== others.length) return false
  for (let index = 0; index < names.length; index++) {
    const name = names[index] as string
    if (name !== others[index]) return false
    if (!isAlike((left as Fields)[name], (right as Fields)[name])) return false
  }
  return true
}
