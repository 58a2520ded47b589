/** Query parameters that are a list in one value, parted by commas: `?product=POD,SERVERLESS`. */
import type { ArrayOptions, TArray, TObject, TSchema } from '@sinclair/typebox'
import * as Type from '@sinclair/typebox'
import { invalidField } from '../../model/errors.ts'

/** OpenAPI: `style: form`, `explode: false`. Other lists repeat their name. */
export const CommaList = <Item extends TSchema>(
  items: Item,
  options: ArrayOptions = {},
): TArray<Item> => Type.Array(items, { ...options, explode: false })

export const isCommaList = (schema: TSchema): boolean => schema.explode === false

/** Parts the values of such parameters. Observed: refuses one that is sent twice, in these words. */
export function splitCommaLists(
  { properties }: TObject,
  values: Record<string, string | string[]>,
): void {
  for (const [name, schema] of Object.entries(properties)) {
    const value = values[name]
    if (value === undefined || !isCommaList(schema)) continue
    if (Array.isArray(value)) {
      const message = `parameter '${name}' is not exploded, but is specified multiple times`
      throw invalidField([name], message)
    }
    values[name] = value.split(',')
  }
}
