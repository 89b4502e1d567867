import { charactersIn, hasAtMost } from '#base/characters.ts'
import { throwAll, type Refusal, type RefusalKind } from '#base/contract.ts'
import { hasVisibleText } from '#base/plain-text.ts'
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
import { limitedUse } from '#writing/newcomer-limits.ts'
import { isNewMember, isTrusted } from '#writing/server/new-member.ts'

export type PostInput = {
  kind: Kind
  thread?: ThreadKind
  by: Member
  /** The author, if that is another member. */
  authorId?: string
  title?: string
  document: Doc
  /** Texts of a thread beside its body, by the names of their fields. */
  texts?: Readonly<Record<string, string>>
  /** Its place, for an existing post. */
  place?: hiddenPart.PostRef
  /** The origin of this site, to tell internal links from external ones. */
  origin?: string | undefined
  /** The time given by a seed; the rules of today do not apply to it. */
  at?: Date | undefined
}

/** A text that is not a post: its contract alone limits its length. */
export type ComposedText = Omit<PostInput, 'kind'> & { kind?: Kind }

/** A validated document in all the forms that are stored. */
export type PreparedPost = {
  /** With sensitive words masked; empty for a post without a title. */
  title: string
  body: string
  segments: string
  /** Its whole text, for the duplicate check. */
  text: string
  summary: string
  /** The first few, for lists. */
  pictures: string
  fileIds: string[]
  /** The hidden parts, which are not in any of the public fields above. */
  hidden: hiddenPart.Parts
  locks: Lock[]
  /** The tag that a thread moves to; null if it stays. */
  tagId?: string | null
  /** The further tags of a thread; undefined leaves them unchanged. */
  tagIds?: readonly string[]
  /** Undefined leaves the label unchanged. */
  ai?: Declaration | undefined
  /** The sensitive words in it that may require a review. */
  sensitive: string[]
}

/** Throws all violations at once: of the site's limits of length, and of the limits for new members. */
export async function checkLimits(db: Db, settings: Settings, post: ComposedText): Promise<void> {
  if (post.at) return
  const wrong = [titleError(settings, post.title), textError(settings, post) ?? (await newMemberError(db, settings, post))]
  throwAll(wrong.filter((refusal) => refusal !== null))
}

/** The same for a title alone. */
export async function checkTitle(db: Db, title: string): Promise<void> {
  const wrong = titleError(await setting.all(db), title)
  if (wrong) throw wrong
}

function titleError({ minTitleLength: min, maxTitleLength: max }: Settings, title: string | undefined): Refusal | null {
  if (title === undefined) return null
  if (!hasAtLeast(title, min)) return TitleTooShort({ min })
  return !hasAtMost(title, max) ? TitleTooLong({ max }) : null
}

function textError(settings: Settings, { kind, document }: ComposedText): Refusal | null {
  if (!kind) return null
  const [shortest, longest] = tables[kind].length
  const [min, max] = [settings[shortest], settings[longest]]
  if (lengthOf(document) > max) return TooLong({ max })
  const showsSomething = picturesOf(document).length + attachmentsOf(document).length > 0
  return showsSomething || hasAtLeast(toText(document), min) ? null : TooShort({ min })
}

async function newMemberError(db: Db, settings: Settings, post: ComposedText): Promise<Refusal | null> {
  const excess = excessOf(settings, post)
  if (!excess || isTrusted(post.by)) return null
  return (await isNewMember(db, settings, post.by.id)) ? excess.kind({ max: excess.max }) : null
}

/** Counts user-perceived characters without white space. */
function hasAtLeast(text: string, min: number): boolean {
  let count = 0
  for (const character of charactersIn(text)) {
    if (hasVisibleText(character)) count++
    if (count >= min) return true
  }
  return false
}

function excessOf(settings: Settings, { document, origin }: ComposedText): { kind: RefusalKind; max: number } | null {
  const { newMemberLinks, newMemberPictures } = settings
  const { links, pictures } = limitedUse(document, origin)
  if (links > newMemberLinks) return { kind: TooManyLinksYet, max: newMemberLinks }
  return pictures > newMemberPictures ? { kind: TooManyPicturesYet, max: newMemberPictures } : null
}
