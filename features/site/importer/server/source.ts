import type { Doc, Lock } from '#base/rich-text/document.ts'
import type { ImportedPassword } from '#base/server/security/imported-password.ts'
import type { SourceReport } from '#importer/server/source-report.ts'
import type * as same from '#importer/server/source-same.ts'

/**
 * The neutral shape of another program's community: what a reader gives and the writer takes. Ids are the other program's, as text. A reader
 * knows nothing of our features, the writer nothing of the other program.
 */
export const programs = ['phpbb', 'discuz', 'nodebb', 'flarum', 'discourse', 'diyhi', 'teahouse'] as const
export type Program = (typeof programs)[number]

export type SourceGroup = same.Group & {
  id: string
  name: string
  /** Every member is in it, or it is a state of accounts and no group: it becomes no role. */
  isBuiltIn: boolean
  /** Its members moderate or administer, which no import gives. */
  isStaff: boolean
}

/** A forum or category. */
export type SourceTag = same.Tag & {
  id: string
  parentId: string | null
  /** It only holds forums, and no threads of its own. */
  isCategory?: boolean
  /** Threads carry it beside their forum, and none lie in it. Only such tags have no parent and come behind all forums. */
  isTopicTag?: boolean
  name: string
  description: string
  /** Its place among all. */
  order: number
  /** Who reads it; groups by their ids. */
  readers: 'everybody' | 'members' | readonly string[]
  /** Who begins threads there, of those who read it. */
  writers: 'members' | readonly string[]
  /** Who comments there, of those who read it; all of them if absent. */
  commenters?: 'members' | readonly string[]
}

export type SourceEmail = { address: string; isConfirmed: boolean }
/** What the member may not do, until a time or for ever. */
export type SourceBan = same.Ban & { from: 'logging in' | 'posting'; reason: string; until: Date | null }

export type SourceMember = same.Member & {
  id: string
  /** By which they log in. */
  name: string
  email: SourceEmail | null
  /** Null where its hash is of an unknown kind, or there is none. */
  password: ImportedPassword | null
  joinedAt: Date | null
  lastSeenAt: Date | null
  /** A path in the folder of files. */
  avatar: string | null
  groups: readonly { id: string; until: Date | null }[]
  bans: readonly SourceBan[]
  /** Whole units by the id of the credit; negative ones too. */ credits: Readonly<Record<string, bigint>>
  /** Answers to the questions of the profile, by their names. */ fields: Readonly<Record<string, string>>
  /** The text about oneself, and the signature. */ about: string
}

/** So many topic tags come as tags, the most used ones: a list of tags stays one that people read. */
export const mostTopicTags = 50

/** A kind of points, or money. */
export type SourceCredit = { id: string; name: string }

/** The author; a name alone for a guest. A member who is gone goes on by the name that the post has. */
export type SourceAuthor = { memberId: string; name?: string } | { guestName: string }
export type SourceState = 'published' | 'pending' | 'deleted'

/**
 * A document whose references are the other program's: the file of a picture or attachment is `import:file/ID`, and every one stands there as
 * `{ type: 'file' }`; the id of a mention is `import:member/ID`, or `import:name/NAME` where the text only names them; a link has the address
 * that was written.
 */
export type SourceBody = same.Body & {
  document: Doc
  /** What had no place in it and stands as text or is gone, such as `color` or `flash`: a short name each, for the report. */
  notes: readonly string[]
}

export type SourcePost = same.Post & {
  /** Of the post, in a program where threads and posts have ids of their own. */
  id: string
  author: SourceAuthor
  body: SourceBody
  publishedAt: Date
  editedAt: Date | null
  state: SourceState
  /** The files that it shows below its text. */
  fileIds: readonly string[]
}

export type SourcePoll = same.Poll & {
  title: string
  options: readonly { id: string; label: string }[]
  maxChoices: number
  isPublic: boolean
  showsResults: 'always' | 'voted' | 'ended'
  endsAt: Date | null
}

/** What its author paid when asking, and nobody was given yet: whole units of a credit. */
export type SourceBounty = { credit: string; amount: bigint; /** Who paid, where the author is not named. */ payerId?: string }

export type SourceThread = same.Thread<SourceBody> & {
  id: string
  tagId: string
  kind: 'topic' | 'question'
  title: string
  opening: SourcePost
  /** 0 for none; the highest stands first. */
  pin: number
  isLocked: boolean
  isFeatured: boolean
  views: number
  /** Names of topic tags; those that are no `SourceTag` are text. */
  tags: readonly string[]
  poll: SourcePoll | null
  bounties: readonly SourceBounty[]
}

export type SourceComment = SourcePost & {
  threadId: string
  /** Its place in the thread, where the program stores one: 1 is the opening. Null where it counts by time. */
  number: number | null
  /** The post that it answers as a whole. */
  answersId: string | null
  /** It stands below this post, as a reply. */
  belowId: string | null
}

export type SourceFile = same.File & { id: string; ownerId: string | null; /** In the folder of files. */ path: string; name: string }
/** A thread that was moved or merged away: its address leads to another. */
export type SourceMoved = { id: string; threadId: string }
/** The post that answered a question. */
export type SourceAccepted = { threadId: string; acceptedId: string; at?: Date }
export type SourceVote = { threadId: string; memberId: string; optionIds: readonly string[]; at: Date | null }
export type SourceLike = { postId: string; memberId: string; at: Date | null }
export type SourceFavourite = same.Favourite & { threadId: string; memberId: string; at: Date | null }
export type SourceFollow = same.Follow & {
  of: 'thread' | 'tag' | 'member'
  id: string
  memberId: string
  level: 'watching' | 'tracking' | 'normal' | 'muted'
  at: Date | null
}
export type SourceReadPosition = { threadId: string; memberId: string; /** As `SourceComment.number`. */ number: number; at: Date | null }
/** A member who has opened the hidden parts of a thread, by paying or with a password; those of one lock alone where it is named. */
export type SourceUnlock = same.Unlock & { threadId: string; memberId: string; lock?: Lock }
export type SourceMessage = same.Message & {
  id: string
  authorId: string
  readerIds: readonly string[]
  title: string
  body: SourceBody
  sentAt: Date
  isRead: boolean
}

/** All kinds of rows, in the order in which they are written: each after those that it refers to. */
export type SourceRows = {
  groups: SourceGroup
  tags: SourceTag
  members: SourceMember
  files: SourceFile
  threads: SourceThread
  moved: SourceMoved
  comments: SourceComment
  accepted: SourceAccepted
  votes: SourceVote
  unlocks: SourceUnlock
  likes: SourceLike
  favourites: SourceFavourite
  follows: SourceFollow
  readPositions: SourceReadPosition
  messages: SourceMessage
}
export type Kind = keyof SourceRows
export const kinds = [
  'groups',
  'tags',
  'members',
  'files',
  'threads',
  'moved',
  'comments',
  'accepted',
  'votes',
  'unlocks',
  'likes',
  'favourites',
  'follows',
  'readPositions',
  'messages',
] as const satisfies readonly Kind[]

/** Some rows, and where the next page begins. The cursor is the reader's own text; it survives a restart. */
export type Page<T> = { rows: readonly T[]; cursor: string }
export type Range = {
  /** The cursor of the last page that was written, or null to begin. */
  after: string | null
  /** The mark of the last finished run: only rows since then. Null for all. */
  since: string | null
  /** The mark of this run: only rows up to it. */
  upto: string
}
/** The pages of a kind, in a fixed order. Comments of one thread come together, in the order of the thread. */
export type Read<T> = (range: Range) => AsyncGenerator<Page<T>>

/** Where an old address leads. */
export type OldTarget =
  | { to: 'post' | 'tag' | 'member' | 'file'; id: string }
  /** A member by the name in their address. */
  | { to: 'name'; id: string }
  /** `number` as in `SourceComment`; `place` counts the visible posts of the thread from 0. */
  | { to: 'thread'; id: string; number?: number; place?: number }

/** A community in another program, opened for reading only. */
export type Reader = same.Reader &
  SourceReport<Kind> & {
    program: Program
    version: string
    title: string
    /** Addresses of the old site, such as `https://example.org/forum/`. */
    origins: readonly string[]
    credits: readonly SourceCredit[]
    /** Its pages show the numbers of posts in a thread, and texts name them: floors here are those numbers. */
    hasFloors: boolean
    /** What its addresses depend on, such as the posts in a page; kept for `targetOf` of the program. */
    addressRules: Readonly<Record<string, string>>
    /** The highest ids there, where its addresses look like ours. */ highestIds?: Readonly<Record<'topic' | 'comment' | 'reply', string>>
    /** Names of members who moderate or administer, with what they are there. */
    staff(): Promise<{ name: string; as: string }[]>
    count(kind: Kind): Promise<number>
    /** The marks of this moment, for a later run to begin at. A kind without one is read whole each time. */
    marks(): Promise<Partial<Record<Kind, string>>>
    rows: { [K in Kind]: Read<SourceRows[K]> }
    /** The bytes of a file or avatar, or null where it is missing. */
    bytesOf(path: string): Promise<Buffer | null>
    close(): Promise<void>
  }

/** Reads an address of a program, without its origin: path and query, and the hash where it is known. Null for one that it does not know. */
export type TargetOf = (address: URL, rules: Readonly<Record<string, string>>) => OldTarget | null
