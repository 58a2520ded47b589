/** The templates that everybody may use, as REST v2 lists them. */
import * as Type from '@sinclair/typebox'
import { OneOf } from '../../model/schema.ts'
import { templateSources } from '../../model/template.ts'
import { defineOperation, type Operation } from '../http/operation.ts'
import { ok } from '../http/reply.ts'
import { Pagination } from './pages.ts'
import { readReplies } from './replies.ts'
import { TemplateReply, toTemplateV2 } from './templates.ts'

// Spec: no more than this are listed, and there is no next page.
const longestList = 100

export const publicTemplateOperations: readonly Operation[] = [
  defineOperation({
    name: 'listPublicTemplates',
    method: 'GET',
    path: '/v2/catalog/templates',
    summary: "The platform's templates, or those that others share.",
    tag: 'catalog',
    needs: 'read',
    query: Type.Object({
      source: Type.Optional(OneOf(templateSources, { default: 'official' })),
    }),
    replies: readReplies(
      'Templates for pods and for endpoints.',
      Type.Object({ templates: Type.Array(TemplateReply), pagination: Pagination }),
    ),
    handle({ world, query }) {
      const { source = 'official' } = query
      const shown = world.publicTemplates.where((template) => template.source === source)
      return ok({
        // Spec: whose registry it is pulled from is nobody's business.
        templates: shown
          .slice(0, longestList)
          .map((template) => ({ ...toTemplateV2(template), registry: null })),
        pagination: { nextCursor: null, hasNextPage: false },
      })
    },
  }),
]
