import { createContext, useContext, useState, type ReactNode } from 'react'
import type { Output } from '#base/contract.ts'
import type { CommentView, myThread, ReplyView } from '#comment/contract.ts'

/** What is being written on the page now; one thing at a time. */
export type Writing =
  | { kind: 'comment'; quotes: CommentView | null }
  | { kind: 'reply'; commentId: string; answers: ReplyView | null }
  | { kind: 'edit comment'; commentId: string }
  | { kind: 'edit reply'; replyId: string }

type Topic = { id: string; takesComments: boolean; author: { id: string } }

type Desk = {
  topic: Topic
  mine: Output<typeof myThread> | null
  writing: Writing | null
  write: (writing: Writing | null) => void
}

const DeskContext = createContext<Desk | null>(null)

/** Where comments and replies are written: what I may do here, and what is open. */
export function ThreadDesk({ topic, mine, children }: { topic: Topic; mine: Desk['mine']; children: ReactNode }) {
  const [writing, write] = useState<Writing | null>(null)
  return <DeskContext value={{ topic, mine, writing, write }}>{children}</DeskContext>
}

export function useDesk(): Desk {
  const desk = useContext(DeskContext)
  if (!desk) throw new Error('Comments are written on a desk')
  return desk
}
