import type { RawBuilder } from 'kysely'
import type { z } from 'zod'
import type { Block } from '#base/rich-text/document.ts'
import type { Db } from '#base/server/database/connection.ts'
import type { Member } from '#base/server/http/route.ts'
import type { ThreadPart } from '#base/thread-part.ts'

/** A thread that is being published. */
export type NewThread = {
  id: string
  kind: 'topic' | 'question'
  tagId: string
  /** Staff review it first. */
  isPending: boolean
  /** The time that a seed gives; absent for now. */
  at?: Date | undefined
}

type Server<Input, View, Source> = {
  /**
   * The texts of the input by the names of their fields, which are checked for sensitive words and reviewed like the body. Words that are
   * masked in a body are refused here.
   */
  texts?(input: Input): Readonly<Record<string, string>>
  /** Publishing with this input must never run twice, and so needs an `Idempotency-Key`. */
  requiresKey?(input: Input): boolean
  /** Adds the part to a new thread, in the transaction that publishes it. */
  publish?(tx: Db, author: Member, thread: NewThread, input: Input): Promise<void>
  /**
   * An SQL expression over the row of `topic`, null for a thread without the part. The statement that reads the thread computes it, so
   * that threads without the part cost no statement.
   */
  source?: RawBuilder<Source | null>
  /** The same for all readers, because a thread is read from the cache. Without it the source is the view. */
  view?(db: Db, source: Source, topicId: string): Promise<View> | View
  /** Blocks below the text of the thread as Markdown. */
  markdown?(db: Db, topicId: string): Promise<Block[]>
}

export type ServerThreadPart = Server<unknown, unknown, unknown> & { name: string }

type OutputOf<Schema> = Schema extends z.ZodType ? z.output<Schema> : never

/** The server's side of a part of threads. */
export function threadPart<Part extends ThreadPart, Source = OutputOf<Part['view']>>(
  { name }: Part,
  server: Server<OutputOf<Part['input']>, OutputOf<Part['view']>, Source>,
): ServerThreadPart {
  return { name, ...(server as Server<unknown, unknown, unknown>) }
}
