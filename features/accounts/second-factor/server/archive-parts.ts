import { sql } from 'kysely'
import type { ArchivePart } from '#base/server/archive-part.ts'

export const archive: readonly ArchivePart[] = [
  {
    name: 'passkeys',
    by: ['passkey.member_id'],
    rows: (memberId) => sql`select name, made_at as "madeAt", used_at as "usedAt" from passkey where member_id = ${memberId} order by id`,
  },
  {
    name: 'trusted-devices',
    by: ['trusted_device.member_id'],
    rows: (memberId) => sql`
      select host(ip) as ip, user_agent as device, trusted_at as "trustedAt", used_at as "usedAt", expires_at as "expiresAt"
      from trusted_device where member_id = ${memberId} order by id`,
  },
]
