import type { Output } from '#base/contract.ts'
import { fromMarkdown } from '#base/rich-text/markdown.ts'
import { toSegments } from '#base/rich-text/to-html.ts'
import type { Db } from '#base/server/database.ts'
import type { termsOfService } from '#help/contract.ts'
import * as setting from '#setting/server/setting.ts'

/** The terms that staff have set, as the page shows them. They are Markdown, read as any post is. */
export async function terms(db: Db, language: 'zh' | 'en'): Promise<Output<typeof termsOfService>> {
  const { termsZh, termsEn } = await setting.all(db)
  const document = fromMarkdown(language === 'zh' ? termsZh : termsEn)
  return { segments: toSegments(document, { picture: () => null, mention: () => null }) }
}
