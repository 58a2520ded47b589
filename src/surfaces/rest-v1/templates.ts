/** Templates as REST v1 spells them: endpoints and templates stay linked. */
import type { Static } from '@sinclair/typebox'
import * as Type from '@sinclair/typebox'
import {
  createTemplate,
  deleteTemplate,
  requireTemplate,
  updateTemplate,
} from '../../domain/templates.ts'
import { ResourceName } from '../../model/pod.ts'
import { OneOf } from '../../model/schema.ts'
import { type Template, type TemplateSpec, templateCategories } from '../../model/template.ts'
import { defineOperation, type Operation } from '../http/operation.ts'
import { noContent, ok } from '../http/reply.ts'
import { succeededBy } from '../http/successor.ts'
import {
  containerFields,
  defaultDiskGb,
  defaultMountPath,
  diskFields,
  toChangedContainer,
  toContainer,
} from './containers.ts'
import { refusals, refusalsOfOne } from './errors.ts'
import { withPostForm } from './post-form.ts'
import { TemplateV1, toTemplateV1 } from './template-replies.ts'

const tag = 'templates'
const path = '/v1/templates'
const onePath = '/v1/templates/{templateId}'
const params = Type.Object({ templateId: Type.String() })
const strict = { additionalProperties: false }
const Off = Type.Boolean({ default: false })
const templateReply = {
  200: { description: 'The template.', schema: TemplateV1 },
  ...refusalsOfOne,
}

const CreateRequest = Type.Object(
  {
    ...containerFields,
    ...diskFields,
    imageName: Type.String({ minLength: 1 }),
    name: ResourceName,
    category: OneOf(templateCategories, { default: 'NVIDIA' }),
    isPublic: Off,
    isServerless: Off,
    readme: Type.String({ default: '' }),
  },
  strict,
)

/** Spec: whether a template is for pods or for endpoints is fixed when it is created. */
const UpdateRequest = Type.Object(
  {
    ...containerFields,
    ...diskFields,
    name: Type.Optional(ResourceName),
    isPublic: Type.Optional(Type.Boolean()),
    readme: Type.Optional(Type.String()),
  },
  strict,
)

/** A world has no templates of other accounts, so that two of these add nothing. */
const IncludeQuery = Type.Object({
  includeEndpointBoundTemplates: Off,
  includePublicTemplates: Off,
  includeRunpodTemplates: Off,
})

export const templateOperations: readonly Operation[] = [
  defineOperation({
    name: 'CreateTemplate',
    method: 'POST',
    path,
    summary: 'Create a template',
    tag,
    needs: 'write',
    body: CreateRequest,
    replies: templateReply,
    successor: succeededBy('POST /v2/templates createTemplate'),
    handle: ({ world, body }) => ok(toTemplateV1(createTemplate(world, toTemplateSpec(body)))),
  }),
  defineOperation({
    name: 'ListTemplates',
    method: 'GET',
    path,
    summary: 'List templates',
    tag,
    needs: 'read',
    query: IncludeQuery,
    replies: {
      200: { description: 'The templates.', schema: Type.Array(TemplateV1) },
      ...refusals,
    },
    successor: succeededBy('GET /v2/templates listTemplates', 'wrapped in {templates}'),
    handle: ({ world, query: { includeEndpointBoundTemplates } }) => {
      const isShown = ({ boundEndpointId }: Template) =>
        boundEndpointId === null || includeEndpointBoundTemplates
      return ok(world.templates.where(isShown).map(toTemplateV1))
    },
  }),
  defineOperation({
    name: 'GetTemplate',
    method: 'GET',
    path: onePath,
    summary: 'Find a template by its id',
    tag,
    needs: 'read',
    params,
    query: IncludeQuery,
    replies: templateReply,
    successor: succeededBy('GET /v2/templates/{id} getTemplate'),
    handle: ({ world, params: { templateId } }) =>
      ok(toTemplateV1(requireTemplate(world, templateId))),
  }),
  ...withPostForm(
    defineOperation({
      name: 'UpdateTemplate',
      method: 'PATCH',
      path: onePath,
      summary: 'Change a template; a new container rolls out to the endpoints linked to it',
      tag,
      needs: 'write',
      params,
      body: UpdateRequest,
      replies: templateReply,
      successor: succeededBy(
        'PATCH /v2/templates/{id} updateTemplate',
        'reaches no endpoint any more',
      ),
      handle: ({ world, params: { templateId }, body }) => {
        const { spec } = world.templates.require(templateId)
        return ok(
          toTemplateV1(updateTemplate(world, templateId, toChangedTemplateSpec(spec, body))),
        )
      },
    }),
  ),
  defineOperation({
    name: 'DeleteTemplate',
    method: 'DELETE',
    path: onePath,
    summary: 'Delete a template that nothing uses',
    tag,
    needs: 'write',
    params,
    replies: { 204: { description: 'The template is gone.' }, ...refusalsOfOne },
    successor: succeededBy('DELETE /v2/templates/{id} deleteTemplate'),
    handle: ({ world, params: { templateId } }) => {
      deleteTemplate(world, templateId)
      return noContent()
    },
  }),
]

/** Spec: serverless templates have no disk. Assumed: one that is asked for is left out. */
function toTemplateSpec(body: Static<typeof CreateRequest>): TemplateSpec {
  const sizeGb = body.isServerless ? 0 : (body.volumeInGb ?? defaultDiskGb)
  return {
    name: body.name,
    container: toContainer(body),
    persistent: sizeGb === 0 ? null : { sizeGb, path: body.volumeMountPath ?? defaultMountPath },
    serverless: body.isServerless,
    public: body.isPublic,
    category: body.category,
    readme: body.readme,
    // Assumed: both are on, as in v2; v1 has no word for them.
    startSsh: true,
    startJupyter: true,
    allowedCudaVersions: [],
  }
}

function toChangedTemplateSpec(
  spec: TemplateSpec,
  body: Static<typeof UpdateRequest>,
): TemplateSpec {
  const { persistent } = spec
  const sizeGb = spec.serverless ? 0 : (body.volumeInGb ?? persistent?.sizeGb ?? 0)
  const mountPath = body.volumeMountPath ?? persistent?.path ?? defaultMountPath
  return {
    ...spec,
    name: body.name ?? spec.name,
    container: toChangedContainer(spec.container, body),
    persistent: sizeGb === 0 ? null : { sizeGb, path: mountPath },
    public: body.isPublic ?? spec.public,
    readme: body.readme ?? spec.readme,
  }
}
