import { truncate } from '#base/characters.ts'
import { renderPages } from '#base/server/long-text.ts'
import type { AnnouncementView } from '#notification/contract.ts'

export type Texts = { text_zh: string; text_en: string }

/** The views of announcements. A text in one language serves for both. */
export async function announcementViews(all: readonly Texts[]): Promise<(texts: Texts) => AnnouncementView> {
  const pages = await renderPages(all.flatMap(({ text_zh, text_en }) => [text_zh, text_en]))
  const segmentsOf = (text: string) => pages(text).segments
  return ({ text_zh, text_en }) => ({ kind: 'announcement', zh: segmentsOf(text_zh || text_en), en: segmentsOf(text_en || text_zh) })
}

// Enough of a text for its first line.
const maxCharactersRead = 1_000

/** The first line of each text. */
export async function firstLines(all: readonly Texts[]): Promise<(text: string) => string> {
  const pages = await renderPages(
    all.flatMap(({ text_zh, text_en }) => [text_zh.slice(0, maxCharactersRead), text_en.slice(0, maxCharactersRead)]),
  )
  return (text) => truncate(pages(text.slice(0, maxCharactersRead)).summary, 120)
}
