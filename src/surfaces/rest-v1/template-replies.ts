/** Templates as v1 shows them, by themselves and beside the pods and endpoints made from them. */
import * as Type from '@sinclair/typebox'
import { OneOf } from '../../model/schema.ts'
import { type Template, templateCategories } from '../../model/template.ts'
import { containerReply, defaultMountPath, toContainerV1 } from './containers.ts'

export const TemplateV1 = Type.Object({
  ...containerReply,
  id: Type.String(),
  name: Type.String(),
  category: OneOf(templateCategories),
  isPublic: Type.Boolean(),
  isRunpod: Type.Boolean(),
  isServerless: Type.Boolean(),
  readme: Type.String(),
  volumeInGb: Type.Integer(),
  volumeMountPath: Type.String(),
  earned: Type.Number(),
  runtimeInMin: Type.Integer(),
})

export function toTemplateV1({ id, spec, source }: Template) {
  return {
    id,
    name: spec.name,
    ...toContainerV1(spec.container),
    category: spec.category,
    isPublic: spec.public,
    isRunpod: source === 'official',
    isServerless: spec.serverless,
    readme: spec.readme,
    volumeInGb: spec.persistent?.sizeGb ?? 0,
    volumeMountPath: spec.persistent?.path ?? defaultMountPath,
    // Nobody but the account itself uses its templates here, so that they earn nothing.
    earned: 0,
    runtimeInMin: 0,
  }
}
