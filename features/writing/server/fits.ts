import type { RefusalKind } from '#base/contract.ts'
import type { Doc } from '#base/rich-text/document.ts'
import { attachmentsOf, lengthOf, linksOf, picturesOf, toText } from '#base/rich-text/to-text.ts'
import type { Db } from '#base/server/database.ts'
import type { Member } from '#base/server/route.ts'
import type { Settings } from '#setting/contract.ts'
import { TitleTooLong, TitleTooShort, TooLong, TooManyLinksYet, TooManyPicturesYet, TooShort } from '#writing/contract.ts'
import { isNewMember, isTrusted } from '#writing/server/new-member.ts'

export type Kind = 'topic' | 'comment' | 'reply'

/** A post about to be published or changed. */
export type Post = {
  kind: Kind
  /** Who publishes or changes it. */
  by: Member
  /** Whose post it is, where that is somebody else. */
  authorId?: string
  title?: string
  document: Doc
  /** Where this site is, which tells its own pages from others. */
  origin?: string | undefined
  /** A seed says when it was; what is past is not judged by the rules of today. */
  at?: Date | undefined
}

/** Refuses what is too short or too long for this site, and links and pictures beyond what new members may have. */
export async function mustFit(db: Db, settings: Settings, post: Post): Promise<void> {
  if (post.at) return
  if (post.title !== undefined) titleMustFit(settings, post.title)
  textMustFit(settings, post)
  const excess = excessIn(settings, post)
  if (!excess || isTrusted(post.by)) return
  if (await isNewMember(db, settings, post.by.id)) throw excess.kind({ max: excess.max })
}

function titleMustFit({ shortestTitle: min, longestTitle: max }: Settings, title: string): void {
  if (!isAtLeast(title, min)) throw TitleTooShort({ min })
  if (title.length > max) throw TitleTooLong({ max })
}

function textMustFit(settings: Settings, { kind, document }: Post): void {
  const { min, max } = lengths(settings)[kind]
  if (lengthOf(document) > max) throw TooLong({ max })
  const showsSomething = picturesOf(document).length + attachmentsOf(document).length > 0
  if (!showsSomething && !isAtLeast(toText(document), min)) throw TooShort({ min })
}

function lengths(settings: Settings): Record<Kind, { min: number; max: number }> {
  return {
    topic: { min: settings.shortestTopic, max: settings.longestTopic },
    comment: { min: settings.shortestComment, max: settings.longestComment },
    reply: { min: settings.shortestReply, max: settings.longestReply },
  }
}

const characters = new Intl.Segmenter('zh', { granularity: 'grapheme' })

/** Characters as people count them; spaces are none. */
function isAtLeast(text: string, least: number): boolean {
  let count = 0
  for (const { segment } of characters.segment(text)) {
    if (/[^\s\p{Cf}]/u.test(segment)) count++
    if (count >= least) return true
  }
  return false
}

function excessIn(settings: Settings, { document, origin }: Post): { kind: RefusalKind; max: number } | null {
  const { newMemberLinks, newMemberPictures } = settings
  const links = new Set(linksOf(document).filter((href) => leadsElsewhere(href, origin)))
  if (links.size > newMemberLinks) return { kind: TooManyLinksYet, max: newMemberLinks }
  const pictures = new Set(picturesOf(document).map(({ file }) => file))
  return pictures.size > newMemberPictures ? { kind: TooManyPicturesYet, max: newMemberPictures } : null
}

function leadsElsewhere(href: string, origin: string | undefined): boolean {
  // An address to write to sells as well as a page does.
  if (/^mailto:/i.test(href)) return true
  if (!/^https?:/i.test(href)) return false
  return origin === undefined || new URL(href).host !== new URL(origin).host
}
