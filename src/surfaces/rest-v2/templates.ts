/** Templates as REST v2 spells them. */
import type { Static } from '@sinclair/typebox'
import * as Type from '@sinclair/typebox'
import { changed, plainContainer } from '../../domain/containers.ts'
import {
  createTemplate,
  deleteTemplate,
  requireTemplate,
  updateTemplate,
} from '../../domain/templates.ts'
import { CudaVersion } from '../../model/catalog.ts'
import { OneOf } from '../../model/schema.ts'
import { type Template, type TemplateSpec, templateCategories } from '../../model/template.ts'
import { defineOperation, type Operation } from '../http/operation.ts'
import { created, noContent, ok } from '../http/reply.ts'
import {
  containerFields,
  containerReplyFields,
  toContainerChanges,
  toContainerV2,
} from './container.ts'
import { PageQuery, Pagination, pageOf } from './pages.ts'
import { readReplies, writeReplies } from './replies.ts'

const tag = 'templates'
const strict = { additionalProperties: false }
const one = Type.Object({ id: Type.String() })

const Mounts = Type.Object(
  {
    persistent: Type.Optional(
      Type.Object(
        { size: Type.Integer({ minimum: 10 }), path: Type.String({ minLength: 1 }) },
        strict,
      ),
    ),
  },
  strict,
)

/** Spec: starting SSH and Jupyter is on for templates unless it is said otherwise. */
const CreateBody = Type.Object(
  {
    ...containerFields,
    name: Type.String({ minLength: 1, maxLength: 191 }),
    image: Type.String({ minLength: 1 }),
    mounts: Type.Optional(Mounts),
    serverless: Type.Boolean({ default: false }),
    public: Type.Boolean({ default: false }),
    category: OneOf(templateCategories, { default: 'NVIDIA' }),
    startSsh: Type.Boolean({ default: true }),
    startJupyter: Type.Boolean({ default: true }),
    allowedCudaVersions: Type.Optional(Type.Array(CudaVersion)),
  },
  strict,
)
const UpdateBody = Type.Object(
  {
    ...containerFields,
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 191 })),
    mounts: Type.Optional(Mounts),
    serverless: Type.Optional(Type.Boolean()),
    public: Type.Optional(Type.Boolean()),
    category: Type.Optional(OneOf(templateCategories)),
    startSsh: Type.Optional(Type.Boolean()),
    startJupyter: Type.Optional(Type.Boolean()),
    allowedCudaVersions: Type.Optional(Type.Array(CudaVersion)),
  },
  strict,
)

export const TemplateReply = Type.Object({
  id: Type.String(),
  name: Type.String(),
  ...containerReplyFields,
  mounts: Mounts,
  serverless: Type.Boolean(),
  public: Type.Boolean(),
  category: OneOf(templateCategories),
  startSsh: Type.Boolean(),
  startJupyter: Type.Boolean(),
  allowedCudaVersions: Type.Array(Type.String()),
})
const List = Type.Object({ templates: Type.Array(TemplateReply), pagination: Pagination })

export const templateOperations: readonly Operation[] = [
  defineOperation({
    name: 'listTemplates',
    method: 'GET',
    path: '/v2/templates',
    summary: 'Templates of the account, newest first.',
    tag,
    needs: 'read',
    query: PageQuery,
    replies: readReplies('Templates.', List),
    handle: ({ world, query }) => {
      const { items, pagination } = pageOf('listTemplates', world.templates, query)
      return ok({ templates: items.map(toTemplateV2), pagination })
    },
  }),
  defineOperation({
    name: 'createTemplate',
    method: 'POST',
    path: '/v2/templates',
    summary: "Saves a container's settings under a name.",
    tag,
    needs: 'write',
    body: CreateBody,
    replies: writeReplies(201, 'The new template.', TemplateReply),
    handle: ({ world, body }) => created(toTemplateV2(createTemplate(world, toTemplateSpec(body)))),
  }),
  defineOperation({
    name: 'getTemplate',
    method: 'GET',
    path: '/v2/templates/{id}',
    summary: 'One template.',
    tag,
    needs: 'read',
    params: one,
    replies: readReplies('The template.', TemplateReply),
    handle: ({ world, params }) => ok(toTemplateV2(requireTemplate(world, params.id))),
  }),
  defineOperation({
    name: 'updateTemplate',
    method: 'PATCH',
    path: '/v2/templates/{id}',
    summary: 'Changes a template; what was made from it stays as it is.',
    tag,
    needs: 'write',
    params: one,
    body: UpdateBody,
    replies: writeReplies(200, 'The template as it is now.', TemplateReply),
    handle: ({ world, params, body }) => {
      const { spec } = world.templates.require(params.id)
      return ok(toTemplateV2(updateTemplate(world, params.id, toUpdatedSpec(spec, body))))
    },
  }),
  defineOperation({
    name: 'deleteTemplate',
    method: 'DELETE',
    path: '/v2/templates/{id}',
    summary: 'Deletes a template that nothing refers to.',
    tag,
    needs: 'write',
    params: one,
    replies: writeReplies(204, 'Gone.'),
    handle: ({ world, params }) => {
      deleteTemplate(world, params.id)
      return noContent()
    },
  }),
]

function toTemplateSpec(body: Static<typeof CreateBody>): TemplateSpec {
  const { name, image, serverless, category, startSsh, startJupyter } = body
  return {
    name,
    container: changed({ ...plainContainer, image }, toContainerChanges(body, plainContainer)),
    persistent: toPersistent(body.mounts) ?? null,
    serverless,
    public: body.public,
    category,
    readme: '',
    startSsh,
    startJupyter,
    allowedCudaVersions: body.allowedCudaVersions ?? [],
  }
}

function toUpdatedSpec(spec: TemplateSpec, body: Static<typeof UpdateBody>): TemplateSpec {
  return {
    ...spec,
    name: body.name ?? spec.name,
    container: changed(spec.container, toContainerChanges(body, spec.container)),
    persistent: toPersistent(body.mounts) ?? spec.persistent,
    serverless: body.serverless ?? spec.serverless,
    public: body.public ?? spec.public,
    category: body.category ?? spec.category,
    startSsh: body.startSsh ?? spec.startSsh,
    startJupyter: body.startJupyter ?? spec.startJupyter,
    allowedCudaVersions: body.allowedCudaVersions ?? spec.allowedCudaVersions,
  }
}

function toPersistent(
  mounts: Static<typeof Mounts> | undefined,
): TemplateSpec['persistent'] | undefined {
  const persistent = mounts?.persistent
  return persistent && { sizeGb: persistent.size, path: persistent.path }
}

export function toTemplateV2({ id, spec }: Template): Static<typeof TemplateReply> {
  const { name, container, persistent, serverless, category, startSsh, startJupyter } = spec
  const mounts =
    persistent === null ? {} : { persistent: { size: persistent.sizeGb, path: persistent.path } }
  return {
    id,
    name,
    ...toContainerV2(container),
    mounts,
    serverless,
    public: spec.public,
    category,
    startSsh,
    startJupyter,
    allowedCudaVersions: spec.allowedCudaVersions,
  }
}
