import { sql } from 'kysely'
import type { ArchivePart } from '#base/server/archive-part.ts'

export const archive: readonly ArchivePart[] = [
  {
    name: 'invitations',
    by: ['invitation.member_id'],
    rows: (memberId) => sql`
      select note, uses, used, made_at as "madeAt", until, revoked_at as "revokedAt" from invitation where member_id = ${memberId} order by id`,
  },
  {
    name: 'invited',
    by: ['invitation_use.member_id'],
    rows: (memberId) => sql`select used_at as "at" from invitation_use where member_id = ${memberId}`,
  },
]
