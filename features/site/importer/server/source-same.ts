/** What the neutral shape says more of a forum of this program, so that nothing is lost between two of them. Other readers say what their program has of it. */

export type Group = {
  nameEn?: string
  /** Its place among all. */
  order?: number
  /** Rights that it gives everywhere. */
  rights?: readonly string[]
}

export type Tag = {
  nameEn?: string
  descriptionEn?: string
  /** Its short name in addresses. */
  key?: string
  /** A path in the folder of files. */
  picture?: string | null
}

/** A stored file, which stays as it is. */
export type StoredForm = {
  kind: 'picture' | 'avatar' | 'attachment'
  type: string
  width: number | null
  height: number | null
  moves: boolean
  ground: 'light' | 'dark' | 'mid' | null
}

export type Ban = { /** What exactly, of all that is posting. */ functions?: readonly string[]; at?: Date }

export type Member = {
  /** Shown in place of the name. */
  nickname?: string | null
  language?: 'zh' | 'en'
  /** A number that was confirmed. */
  phone?: string | null
  /** A hash of this program. */
  passwordHash?: string | null
  avatarForm?: StoredForm | null
  showsActivity?: boolean
  showsLastSeen?: boolean
  /** The site speaks as this member: they become the one that it speaks as here. */
  isOfficial?: boolean
  closed?: { as: 'disabled' | 'cancelled' | 'left' | 'erased'; because: string | null; at: Date } | null
}

export type Body = {
  /** Of hidden parts with a password, by their ids: hashes of this program. */ partHashes?: Readonly<Record<string, string>>
}

export type Post = {
  aiLabel?: 'author' | 'staff' | null
  deletion?: { by: 'author' | 'staff'; from: 'pending' | 'published' | null; at: Date | null; reason: string | null } | null
  /** Its text is gone for good, and it only keeps its floor. */
  isPurged?: boolean
}

/** What an asker added to a question. */
export type Postscript<Body> = { body: Body; at: Date; removal?: { at: Date; reason: string | null } | null }

export type Thread<Body> = {
  postscripts?: readonly Postscript<Body>[]
  furtherTagIds?: readonly string[]
  featuredAt?: Date | null
  sunkAt?: Date | null
  withdrawnAt?: Date | null
}

export type File = { form?: StoredForm }
export type Poll = { ended?: { at: Date; reason: 'due' | 'author' | 'staff' } | null }
export type Favourite = { note?: string; folder?: { name: string; isPublic: boolean } | null }
export type Follow = { /** The member is kept away instead of followed. */ block?: 'muted' | 'blocked' | null }
export type Unlock = { /** The one part that was opened. */ partId?: string }
export type Message = { /** Members who have deleted it on their side. */ goneFor?: readonly string[] }

/** Tables whose ids are in addresses. */
export const keptTables = ['role', 'tag', 'member', 'topic', 'comment', 'reply', 'message'] as const
export type KeptTable = (typeof keptTables)[number]

export type Reader = {
  /** It is this program, at another place: texts and files come as they are, and ids stay in a forum that is new. */
  same?: { /** The highest ids that it has given, by table. */ highestIds: Readonly<Record<KeptTable, bigint>> }
  /** The credit that is money, where that is beyond doubt. */
  money?: { credit: string; centsPerUnit: number }
}
