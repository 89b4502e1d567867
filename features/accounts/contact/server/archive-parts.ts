import type { ArchivePart } from '#base/server/archive-part.ts'
import { addressesOf } from '#contact/server/contact.ts'

export const archive: readonly ArchivePart[] = [
  { name: 'contacts', by: ['contact.member_id'], all: (db, memberId) => addressesOf(db, memberId) },
]
