/** Which release this is: the same as in package.json, which a test holds it to. */
export const version = '0.1.0'
