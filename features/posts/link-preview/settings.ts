import { z } from 'zod'
import type { SettingDeclarations } from '#base/setting.ts'

/** The switch of link previews. */
export const settings = {
  /** Whether the server fetches the titles of linked pages. Other sites learn its address by that, so staff decide. */
  linkPreviews: { group: 'lists', schema: z.boolean(), default: false, aliases: 'onebox unfurl card 链接 卡片 预览' },
} as const satisfies SettingDeclarations
