import type { Block } from '#base/rich-text/document.ts'
import type { Sample } from '#importer/contract.ts'
import type {
  Kind,
  SourceAuthor,
  SourceComment,
  SourceFile,
  SourceGroup,
  SourceMember,
  SourceMessage,
  SourcePost,
  SourceRows,
  SourceThread,
} from '#importer/server/source.ts'
import { withoutWords } from '#importer/server/notes.ts'
import { faultOf } from '#importer/server/write/files.ts'

/** What is known of the rows that others refer to. */
export type Known = {
  members: ReadonlySet<string>
  tags: ReadonlySet<string>
  /** Forums that everybody will read. */
  openTags: ReadonlySet<string>
  /** Null where not all threads were read. */
  threads: ReadonlySet<string> | null
  bytesOf(path: string): Promise<Buffer | null>
}

export type Told = {
  /** The row does not come. */
  leftOut(why: string, sample: Sample): void
  /** The row comes, and something of it does not. */
  changed(why: string, sample: Sample): void
  /** The bytes of a file that comes. */
  bytes(length: number): void
}

type Look<T> = (row: T, known: Known, told: Told) => void | Promise<void>

/** What becomes of a row, as far as it says so itself. Samples say nothing that not everybody may read. */
export function lookAt<K extends Kind>(kind: K, row: SourceRows[K], known: Known, told: Told): void | Promise<void> {
  return looks[kind](row, known, told)
}

const looks: { [K in Kind]: Look<SourceRows[K]> } = {
  groups: ofGroup,
  tags: () => undefined,
  members: () => undefined,
  files: ofFile,
  threads: ofThread,
  moved: () => undefined,
  comments: ofComment,
  accepted: () => undefined,
  votes: ofMark,
  unlocks: ofMark,
  likes: ofMark,
  favourites: ofMark,
  follows: ofMark,
  readPositions: ofMark,
  messages: ofMessage,
}

function ofGroup({ id, name, isBuiltIn, isStaff }: SourceGroup, _: Known, { leftOut }: Told): void {
  if (isStaff) leftOut('group of staff, whose rights are given by hand', { id, name })
  else if (isBuiltIn) leftOut('group of everybody, or a state of accounts', { id, name })
}

async function ofFile({ id, path }: SourceFile, { bytesOf }: Known, { leftOut, bytes }: Told): Promise<void> {
  const found = await bytesOf(path)
  const fault = faultOf(found)
  if (fault) leftOut(fault, { id, name: path })
  else bytes(found?.length ?? 0)
}

function ofThread({ id, tagId, title, opening }: SourceThread, known: Known, told: Told): void {
  const isOpen = known.openTags.has(tagId) && opening.state === 'published'
  const sample = { id, name: isOpen ? title : null }
  if (!known.tags.has(tagId)) return told.leftOut('thread in a forum that did not come', sample)
  ofPost(opening, sample, known, told)
}

function ofComment(comment: SourceComment, known: Known, told: Told): void {
  const sample = { id: comment.id, name: null }
  if (known.threads?.has(comment.threadId) === false) return told.leftOut('comment of a thread that did not come', sample)
  if (comment.belowId !== null && comment.body.document.content.some(isHidden)) told.changed('hidden part of a reply', sample)
  ofPost(comment, sample, known, told)
}

function isHidden({ type }: Block): boolean {
  return type === 'hidden'
}

const states = { pending: 'waits for approval, also here', deleted: 'removed, so that staff alone see it' } as const

function ofPost({ author, body, state }: SourcePost, sample: Sample, { members }: Known, { changed }: Told): void {
  if (state !== 'published') changed(states[state], sample)
  if (isGone(author, members)) changed('author who is gone: a closed account', sample)
  for (const note of new Set(body.notes.map(withoutWords))) changed(note, sample)
}

function isGone(author: SourceAuthor, members: ReadonlySet<SourceMember['id']>): boolean {
  return 'memberId' in author && !members.has(author.memberId)
}

function ofMark(
  mark: { memberId: string } & ({ threadId: string } | { postId: string } | { id: string }),
  { members }: Known,
  told: Told,
): void {
  const of = 'threadId' in mark ? mark.threadId : 'postId' in mark ? mark.postId : mark.id
  if (!members.has(mark.memberId)) told.leftOut('of a member who did not come', { id: `${of}/${mark.memberId}`, name: null })
}

function ofMessage({ id, authorId, readerIds, sentAt, body }: SourceMessage, { members }: Known, told: Told): void {
  const sample = { id, name: sentAt.toISOString().slice(0, 10) }
  const readers = readerIds.filter((reader) => reader !== authorId && members.has(reader))
  if (!members.has(authorId) || readers.length === 0) return told.leftOut('message whose writer or readers did not come', sample)
  if (readers.length > 1) told.changed('message to several people, now one to each', sample)
  for (const note of new Set(body.notes.map(withoutWords))) told.changed(note, sample)
}
