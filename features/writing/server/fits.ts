import { charactersIn, isWithin } from '#base/characters.ts'
import { throwAll, type Refusal, type RefusalKind } from '#base/contract.ts'
import { isSeen } from '#base/plain-text.ts'
import type { Declaration } from '#ai-label/server/ai-label.ts'
import type { Doc, Lock } from '#base/rich-text/document.ts'
import { attachmentsOf, lengthOf, picturesOf, toText } from '#base/rich-text/to-text.ts'
import type { Db } from '#base/server/database/database.ts'
import type { Member } from '#base/server/http/route.ts'
import type * as hiddenPart from '#hidden-part/server/hidden-part.ts'
import { tables, type Kind, type ThreadKind } from '#kind/contract.ts'
import type { Settings } from '#setting/contract.ts'
import * as setting from '#setting/server/setting.ts'
import { TitleTooLong, TitleTooShort, TooLong, TooManyLinksYet, TooManyPicturesYet, TooShort } from '#writing/contract.ts'
import { limitedIn } from '#writing/newcomer-limits.ts'
import { isNewMember, isTrusted } from '#writing/server/new-member.ts'

/** A post about to be published or changed. */
export type Post = {
  kind: Kind
  /** Which kind of thread it opens, or stands in already. */
  thread?: ThreadKind
  /** Who publishes or changes it. */
  by: Member
  /** Whose post it is, where that is somebody else. */
  authorId?: string
  title?: string
  document: Doc
  /** Where it stands already. */
  place?: hiddenPart.PostRef
  /** Where this site is, which tells its own pages from others. */
  origin?: string | undefined
  /** A seed says when it was; what is past is not judged by the rules of today. */
  at?: Date | undefined
}

/** What is written without being a post: its contract alone says how long it may be. */
export type Written = Omit<Post, 'kind'> & { kind?: Kind }

/** A document that was found good, with all that is kept of it. */
export type Ready = {
  /** With stars where words were replaced; empty where there is none. */
  title: string
  body: string
  segments: string
  /** All its words, as `turn` wants them. */
  text: string
  summary: string
  /** The first few, for lists. */
  pictures: string
  fileIds: string[]
  /** What of it is locked: apart from all above, which everybody may read. */
  hidden: hiddenPart.Parts
  /** By which kinds of locks. */
  locks: Lock[]
  /** The tag that a thread moves to; null where it stays in its own. */
  tagId?: string | null
  /** The tags of a thread beside the one it lies in; where there are none, they stay as they are. */
  tagIds?: readonly string[]
  /** Without it the label of the post stays as it is. */
  ai?: Declaration | undefined
  /** The words in it for which staff may want to look at it first. */
  sensitive: string[]
}

/** Refuses, all at once, what is too short or too long for this site, and what new members may not have yet. */
export async function mustFit(db: Db, settings: Settings, post: Written): Promise<void> {
  if (post.at) return
  const wrong = [wrongWithTitle(settings, post.title), wrongWithText(settings, post) ?? (await excessOfNew(db, settings, post))]
  throwAll(wrong.filter((refusal) => refusal !== null))
}

/** The same of a title alone. */
export async function mustFitTitle(db: Db, title: string): Promise<void> {
  const wrong = wrongWithTitle(await setting.all(db), title)
  if (wrong) throw wrong
}

function wrongWithTitle({ shortestTitle: min, longestTitle: max }: Settings, title: string | undefined): Refusal | null {
  if (title === undefined) return null
  if (!isAtLeast(title, min)) return TitleTooShort({ min })
  return !isWithin(title, max) ? TitleTooLong({ max }) : null
}

function wrongWithText(settings: Settings, { kind, document }: Written): Refusal | null {
  if (!kind) return null
  const [shortest, longest] = tables[kind].length
  const [min, max] = [settings[shortest], settings[longest]]
  if (lengthOf(document) > max) return TooLong({ max })
  const showsSomething = picturesOf(document).length + attachmentsOf(document).length > 0
  return showsSomething || isAtLeast(toText(document), min) ? null : TooShort({ min })
}

async function excessOfNew(db: Db, settings: Settings, post: Written): Promise<Refusal | null> {
  const excess = excessIn(settings, post)
  if (!excess || isTrusted(post.by)) return null
  return (await isNewMember(db, settings, post.by.id)) ? excess.kind({ max: excess.max }) : null
}

/** Characters as people count them; spaces are none. */
function isAtLeast(text: string, least: number): boolean {
  let count = 0
  for (const character of charactersIn(text)) {
    if (isSeen(character)) count++
    if (count >= least) return true
  }
  return false
}

function excessIn(settings: Settings, { document, origin }: Written): { kind: RefusalKind; max: number } | null {
  const { newMemberLinks, newMemberPictures } = settings
  const { links, pictures } = limitedIn(document, origin)
  if (links > newMemberLinks) return { kind: TooManyLinksYet, max: newMemberLinks }
  return pictures > newMemberPictures ? { kind: TooManyPicturesYet, max: newMemberPictures } : null
}
