import { NotPermitted, SwitchedOff } from '#assistant/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import { isMember, type Member, type Viewer } from '#base/server/http/route.ts'
import * as role from '#role/server/role.ts'
import * as setting from '#setting/server/setting.ts'

/** Refuses members who may not use the assistant now. */
export async function mustBeAllowed(db: Db, member: Member): Promise<void> {
  await setting.mustBeOpen(db, 'allowAssistant')
  role.refuseBanned(member, ['assistant'])
  if (!member.may('assistant.use')) throw NotPermitted()
}

/** Refuses when the permission was revoked during the answer. */
export async function mustStillBeAllowed(db: Db, viewer: Viewer): Promise<Viewer> {
  const { allowAssistant } = await setting.all(db)
  if (!allowAssistant || !isMember(viewer) || !viewer.may('assistant.use')) throw SwitchedOff()
  role.refuseBanned(viewer, ['assistant'])
  return viewer
}
