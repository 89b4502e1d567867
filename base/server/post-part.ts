import type { RawBuilder } from 'kysely'
import type { z } from 'zod'
import type { PostPart } from '#base/post-part.ts'
import type { Db } from '#base/server/database/connection.ts'

/** A field of a comment or a reply. */
export type PostField<Value> = {
  /** An SQL expression over the row of `comment` or `reply`, part of the statement that reads the posts. */
  source: RawBuilder<Value>
  /** The part of the source that readers see, if that is not all. Called once for all posts of a view. */
  view?(db: Db): Promise<(source: Value) => Value>
}

/** A removed comment keeps its floor, with this value. */
export type CommentField<Value> = PostField<Value> & { ifRemoved: Value }

/** A page of a thread as a member sees it; parameters of a statement over the row of `topic`. */
export type MemberPage = { memberId: RawBuilder<string>; topicId: RawBuilder<string>; commentIds: RawBuilder<readonly string[]> }

export type MineField<Value> = (page: MemberPage) => RawBuilder<Value>

type Values<Part, To extends keyof PostPart> =
  Part extends Record<To, infer Fields> ? { [Name in keyof Fields]: Fields[Name] extends z.ZodType ? z.output<Fields[Name]> : never } : {}

type Server<Part> = {
  comment: { [Name in keyof Values<Part, 'comment'>]: CommentField<Values<Part, 'comment'>[Name]> }
  reply: { [Name in keyof Values<Part, 'reply'>]: PostField<Values<Part, 'reply'>[Name]> }
  mine: { [Name in keyof Values<Part, 'mine'>]: MineField<Values<Part, 'mine'>[Name]> }
}

export type ServerPostPart = {
  comment?: Readonly<Record<string, CommentField<unknown>>>
  reply?: Readonly<Record<string, PostField<unknown>>>
  mine?: Readonly<Record<string, MineField<unknown>>>
}

/** The server's side of the fields that a feature adds to posts: each declared field, and no other. */
export function postPart<Part extends PostPart>(_declared: Part, server: Pick<Server<Part>, keyof Part & keyof PostPart>): ServerPostPart {
  return server as ServerPostPart
}
