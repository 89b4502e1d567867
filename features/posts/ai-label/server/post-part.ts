import { sql } from 'kysely'
import type { AiLabelView } from '#ai-label/contract.ts'
import { part } from '#ai-label/post-part.ts'
import { visibleLabel } from '#ai-label/server/ai-label.ts'
import type { Db } from '#base/server/database/database.ts'
import { postPart } from '#base/server/post-part.ts'
import * as setting from '#setting/server/setting.ts'

export const labelOfPosts = postPart(part, {
  comment: { aiLabel: { source: sql`comment.ai_label`, view, ifRemoved: null } },
  reply: { aiLabel: { source: sql`reply.ai_label`, view } },
})

async function view(db: Db): Promise<(label: AiLabelView) => AiLabelView> {
  const settings = await setting.all(db)
  return (label) => visibleLabel(settings, label)
}
