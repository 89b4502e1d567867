import { sql } from 'kysely'
import * as account from '#account/server/account.ts'
import * as aiLabel from '#ai-label/server/ai-label.ts'
import { refusalAt, throwAll } from '#base/contract.ts'
import type { Doc } from '#base/rich-text/document.ts'
import { toSegments, type Segment } from '#base/rich-text/to-html.ts'
import { withCurrentNames } from '#base/rich-text/normalise.ts'
import { attachmentsOf, mentionsOf, picturesOf, summaryOf, toText } from '#base/rich-text/to-text.ts'
import type { Db } from '#base/server/database/database.ts'
import * as file from '#file/server/file.ts'
import * as hiddenPart from '#hidden-part/server/hidden-part.ts'
import { WordsInField, WordsInText, WordsInTitle } from '#sensitive-word/contract.ts'
import * as realName from '#real-name/server/real-name.ts'
import * as sensitiveWord from '#sensitive-word/server/sensitive-word.ts'
import * as setting from '#setting/server/setting.ts'
import * as user from '#user/server/user.ts'
import { FileNotYours, NobodyMentioned, PictureNotYours, TooManyFiles, TooManyMentions, TooManyPictures } from '#writing/contract.ts'
import type { ComparedText } from '#writing/server/text-fingerprint.ts'
import { checkLimits, type PostInput, type PreparedPost, type ComposedText } from '#writing/server/post-limits.ts'

export { mentionedIn, withNames } from '#user/server/user.ts'
export { checkTitle, type PreparedPost } from '#writing/server/post-limits.ts'
export { isNew, isTrusted, newcomer, newcomerView } from '#writing/server/new-member.ts'
export { refreshCopies, withholdLatest, withhold, withholdEarlier } from '#writing/server/withhold.ts'
export {
  counted,
  passesThrottle,
  isUnique,
  deduplicated,
  deduplicatedAnew,
  refuseIfDuplicate,
  refuseIfThrottled,
  releaseText,
  throttle,
  type Throttle,
} from '#writing/server/throttle.ts'
export {
  contentOf,
  moveReviews,
  recordEditor,
  openReviewsIn,
  isRejected,
  mayBeHeld,
  rejectedIds,
  reviewState,
  holdForReview,
  reviewReason,
  requeueReview,
  heldEdit,
  dropHeldEdit,
  type ReviewReason,
} from '#writing/server/review-hold.ts'

/** The time of publication, if a seed gives it, and the origin of this site. */
export type PublishContext = { at?: Date; origin?: string }

const picturesInLists = 5

/**
 * Validates a post against the rules of the site, the ownership of its files and the existence of mentioned members, and renders it
 * once for all readers.
 */
export async function prepare(db: Db, input: PostInput): Promise<PreparedPost> {
  const { sensitive, title = '', named, found } = await validate(db, input)
  const { open, parts } = await hiddenPart.extract(db, { ...input, post: input.place ?? null, document: named })
  return {
    title,
    sensitive,
    ...publicFormsOf(open, found),
    hidden: parts.map((part) => (part.document ? { ...part, ...hiddenFormsOf(part.document, found) } : part)),
  }
}

/** The same for a private message: without a review, so that words that would require one are allowed. */
export async function prepareMessage(db: Db, input: Pick<PostInput, 'by' | 'document' | 'origin' | 'at'>): Promise<RenderedPost> {
  const { named, found } = await validate(db, input)
  return publicFormsOf(named, found)
}

async function validate(db: Db, input: ComposedText) {
  const { sensitive, ...post } = await screenWords(db, input)
  const { by, authorId = by.id, document } = post
  if (!by.isOfficial) {
    await account.requireTermsAgreement(db, by.id)
    await realName.requireVerification(db, by.id)
  }
  const settings = await setting.all(db)
  const { picturesPerPost, attachmentsPerPost, mentionsPerPost } = settings
  const { pictureIds, attachmentIds } = filesIn(document)
  const mentioned = [...new Set(mentionsOf(document).map((mention) => mention.id))]
  if (pictureIds.length > picturesPerPost) throw TooManyPictures({ max: picturesPerPost })
  if (attachmentIds.length > attachmentsPerPost) throw TooManyFiles({ max: attachmentsPerPost })
  if (mentioned.length > mentionsPerPost) throw TooManyMentions({ max: mentionsPerPost })
  await checkLimits(db, settings, post)

  const [pictures, attachments, people] = await Promise.all([
    file.picturesOf(db, pictureIds, authorId),
    file.attachmentsOf(db, attachmentIds, authorId),
    user.authors(db, mentioned),
  ])
  if (pictures.size < pictureIds.length) throw PictureNotYours()
  if (attachments.size < attachmentIds.length) throw FileNotYours()
  if (people.size < mentioned.length) throw NobodyMentioned()
  const named = withCurrentNames(document, (id) => people.get(id)?.name)
  return { sensitive, title: post.title, named, found: { pictures, attachments, people } }
}

/** The stored forms of a document without its hidden parts. */
type RenderedPost = Omit<PreparedPost, 'title' | 'sensitive' | 'hidden'>

function publicFormsOf(open: Doc, context: RenderContext): RenderedPost {
  const { pictureIds, attachmentIds } = filesIn(open)
  return {
    body: JSON.stringify(open),
    segments: JSON.stringify(render(open, context)),
    text: toText(open),
    summary: summaryOf(open),
    pictures: firstPictures(new Map(pictureIds.flatMap((id) => [[id, context.pictures.get(id)] as const]))),
    fileIds: [...pictureIds, ...attachmentIds],
    locks: hiddenPart.locksIn(open),
  }
}

function hiddenFormsOf(document: Doc, context: RenderContext) {
  const { pictureIds, attachmentIds } = filesIn(document)
  return { segments: render(document, context), fileIds: [...pictureIds, ...attachmentIds] }
}

/** The first few pictures of a document, for lists. */
export async function picturesForList(db: Db, authorId: string, document: Doc): Promise<string> {
  return firstPictures(await file.picturesOf(db, filesIn(document).pictureIds, authorId))
}

function firstPictures(pictures: ReadonlyMap<string, file.PictureSource | undefined>): string {
  const existing = [...pictures.values()].filter((picture) => picture !== undefined)
  return JSON.stringify(existing.slice(0, picturesInLists).map(({ src, width, height, ground }) => ({ src, width, height, ground })))
}

/** Refuses forbidden words and masks others. Staff are exempt. */
async function screenWords(db: Db, post: ComposedText): Promise<ComposedText & { sensitive: string[] }> {
  if (post.at || post.by.staff) return { ...post, sensitive: [] }
  const { title, document, refused, reviewed } = await sensitiveWord.screen(db, post)
  throwAll([
    ...(refused.title.length > 0 ? [WordsInTitle({ words: refused.title.join(' ') })] : []),
    ...(refused.text.length > 0 ? [WordsInText({ words: refused.text.join(' ') })] : []),
    ...Object.entries(refused.others).flatMap(([field, words]) =>
      words.length > 0 ? [refusalAt(field, WordsInField)({ words: words.join(' ') })] : [],
    ),
  ])
  return { ...post, ...(title !== undefined && { title }), document, sensitive: reviewed }
}

/** The content of a document for the duplicate check. */
export function comparedTextOf(document: Doc, place: string): ComparedText {
  const { pictureIds, attachmentIds } = filesIn(document)
  return { text: toText(document), fileIds: [...pictureIds, ...attachmentIds], place }
}

function filesIn(document: Doc): { pictureIds: string[]; attachmentIds: string[] } {
  return {
    pictureIds: [...new Set(picturesOf(document).map((picture) => picture.file))],
    attachmentIds: [...new Set(attachmentsOf(document).map((attachment) => attachment.file))],
  }
}

/** Renders documents from the history, which stores no rendered form. All by one author. */
export async function renderAll(db: Db, authorId: string, documents: readonly Doc[]): Promise<Segment[][]> {
  const [pictures, attachments, people] = await Promise.all([
    file.picturesOf(
      db,
      documents.flatMap((document) => picturesOf(document).map((picture) => picture.file)),
      authorId,
    ),
    file.attachmentsOf(
      db,
      documents.flatMap((document) => attachmentsOf(document).map((attachment) => attachment.file)),
      authorId,
    ),
    user.authors(
      db,
      documents.flatMap((document) => mentionsOf(document).map((mention) => mention.id)),
    ),
  ])
  return documents.map((document) => render(document, { pictures, attachments, people }))
}

export type VersionRow = { body: unknown; written_at: Date; is_withheld: boolean; ai_label: string | null }

/** A condition on a version: it was published at some time, even if it is withheld now. */
export const wasPublished = sql<boolean>`(not is_withheld or withheld_at is not null)`

/** Versions as members see them: of a withheld one only the time. */
export async function versionsOf(db: Db, authorId: string, versions: readonly VersionRow[]) {
  const nothing: Doc = { type: 'doc', content: [] }
  const bodies = versions.map(({ body, is_withheld }) => (is_withheld ? nothing : (body as Doc)))
  const [rendered, settings] = await Promise.all([renderAll(db, authorId, bodies), setting.all(db)])
  return versions.map(({ written_at, is_withheld: isWithheld, ai_label }, index) => ({
    segments: isWithheld ? [] : (rendered[index] ?? []),
    writtenAt: written_at.toISOString(),
    isWithheld,
    aiLabel: isWithheld ? null : aiLabel.visibleLabel(settings, ai_label),
  }))
}

type RenderContext = {
  pictures: ReadonlyMap<string, file.PictureSource>
  attachments: ReadonlyMap<string, file.Attachment>
  people: ReadonlyMap<string, { name: string }>
}

function render(document: Doc, { pictures, attachments, people }: RenderContext): Segment[] {
  return toSegments(document, {
    picture: ({ file: fileId }) => pictures.get(fileId) ?? null,
    attachment: ({ file: fileId }) => attachments.get(fileId) ?? null,
    mention(memberId) {
      const person = people.get(memberId)
      return person ? { href: user.profilePath(memberId), name: person.name } : null
    },
  })
}
