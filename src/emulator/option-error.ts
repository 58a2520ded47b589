/** A wrong option: the message says what would have been right. */
export class OptionError extends Error {
  override readonly name = 'OptionError'
}
