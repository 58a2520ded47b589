/**
 * Keys are nobody's to read: how they are shown in lists, and how texts that may hold one are.
 *
 * What was meant for a header may get into a path, an address or a name of a program. Whatever looks
 * like the key of a service is masked there, whoever's it is. Assumed: the cloud keeps the lines that
 * containers write as they are. Here logs are kept with worlds and shown with failed tests, so they are
 * masked as well.
 */

/** A key as lists may show it: its ends, or nothing of a short one. */
export function maskKey(key: string): string {
  return key.length < 12 ? '****' : `${key.slice(0, 4)}…${key.slice(-4)}`
}

/** The forms that services give their keys. What stays readable is the part that says whose it is. */
const forms = [
  // Runpod; Hugging Face; Docker Hub; GitHub, its fine-grained ones too; GitLab; npm; Slack.
  /(\brpa_)\w+/,
  /(\bhf_)\w{8,}/,
  /(\bdckr_(?:pat|oat)_)[\w-]{8,}/,
  /(\bgh[opsur]_)\w{16,}/,
  /(\bgithub_pat_)\w{16,}/,
  /(\bglpat-)[\w-]{16,}/,
  /(\bnpm_)\w{16,}/,
  /(\bxox[abeoprs]-)[\w-]{8,}/,
  // OpenAI, Anthropic and others of their kind; Stripe; Google; AWS.
  /(\bsk-)[\w-]{16,}/,
  /(\b[rs]k_(?:live|test)_)\w{8,}/,
  /(\bAIza)[\w-]{30,}/,
  /(\bA[KS]IA)[0-9A-Z]{16}/,
  // A JSON Web Token; who an address says that it is from.
  /(\beyJ)[\w-]{8,}\.[\w-]+\.[\w-]*/,
  /(:\/\/)[^\s/?#@:]*:[^\s/?#@]*(?=@)/,
  // A key where callers may put one: in the query.
  /([?&](?:api_?[kK]ey|access_token|token|signature)=)[^&\s#]+/,
]
const anyForm = new RegExp(forms.map(({ source }) => source).join('|'), 'g')
/** None is without one of these: most texts are, and are let through for little. */
const hint = /[_?&@]|sk-|AIza|A[KS]IA|eyJ|glpat-|xox/

/** A text with `***` for every key in it. */
export function maskSecrets(text: string): string {
  if (!hint.test(text)) return text
  return text.replace(anyForm, (_whole, ...groups: readonly unknown[]) => {
    const kept = groups.slice(0, forms.length).find((group) => typeof group === 'string')
    return `${String(kept)}***`
  })
}
