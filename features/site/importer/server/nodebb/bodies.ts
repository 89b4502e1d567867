import { markdownBody } from '#importer/server/body/markdown.ts'
import { namesIn } from '#importer/server/body/mentions.ts'
import type { SourceBody } from '#importer/server/source.ts'
import type { Site } from '#importer/server/nodebb/site.ts'
import type { Fields } from '#importer/server/nodebb/store.ts'
import { nameOf, uploadAt } from '#importer/server/nodebb/uploads.ts'

/** Reads some texts of NodeBB's Markdown. Members whom they mention are looked up for all of them at once. */
export async function bodiesOf({ store, origins }: Site, texts: readonly string[]): Promise<SourceBody[]> {
  const slugs = [...new Set(texts.flatMap((text) => namesIn(text).map(slugOf)))]
  const ids = await store.scores('userslug:uid', slugs)
  const memberAt = new Map(slugs.flatMap((slug, at) => (Number(ids[at]) > 0 ? [[slug, ids[at]] as const] : [])))
  const options = {
    fileAt(address: string, label: string) {
      const path = uploadAt(address, origins)
      return path === null ? null : { id: path, name: label.trim() || nameOf(path) }
    },
    mentioned(name: string) {
      const uid = memberAt.get(slugOf(name))
      return uid === undefined ? null : `member/${uid}`
    },
  }
  return texts.map((text) => markdownBody(text, options))
}

/** A name as it stands in addresses and mentions: small letters, and one dash for what is no letter. */
function slugOf(name: string): string {
  return name.toLowerCase().replaceAll(/-+/g, '-').replace(/^-/, '').replace(/-$/, '')
}

/** The text as its author wrote it: posts of other servers come as HTML, some with their source. */
export function writtenText(fields: Fields): string {
  return fields['sourceContent'] || fields['content'] || ''
}
