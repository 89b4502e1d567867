import { sql } from 'kysely'
import { postPart } from '#base/server/post-part.ts'
import { part } from '#red-envelope/post-part.ts'

const source = sql<string | null>`(
  select id::text from red_envelope where comment_id = comment.id and red_envelope.state not in ('waiting', 'dropped'))`

export const envelopeOfComment = postPart(part, { comment: { envelopeId: { source, ifRemoved: null } } })
