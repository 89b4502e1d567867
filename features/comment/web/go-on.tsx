import { useEffect, useEffectEvent } from 'react'
import { useLocation } from 'react-router'
import { focusLater } from '#base/web/focus-later.ts'
import { useDesk, type List, type Writing } from '#comment/web/desk.tsx'

type Asked = { writing: Writing | null; place: string }

/** Opens the form that the address asks for: who goes on writing finds what they began, and the cursor in it. */
export function GoOn({ list }: { list: List }) {
  const { hash, key } = useLocation()
  const { write, deeds, tools } = useDesk()
  // The tools may lay the comments out anew.
  const isReady = deeds !== null && tools !== null
  const open = useEffectEvent(() => {
    const asked = askedBy(hash, list)
    if (!asked) return
    write(asked.writing)
    // Drawn first, for what was open before may stand in the same place.
    requestAnimationFrame(() => focusLater(() => document.querySelector(asked.place)))
  })
  useEffect(() => {
    if (isReady) open()
  }, [isReady, hash, key])
  return null
}

function askedBy(hash: string, { comments }: List): Asked | null {
  if (hash === '#write') return { writing: null, place: '[data-composer]' }
  const [, what, id = '', answered] = /^#write-(reply|edit-comment|edit-reply)-(\d+)(?:-(\d+))?$/.exec(hash) ?? []
  if (what === 'edit-comment') return { writing: { kind: 'edit comment', commentId: id }, place: `#comment-${id}` }
  if (what === 'edit-reply') return { writing: { kind: 'edit reply', replyId: id }, place: `#reply-${id}` }
  const comment = what === 'reply' && comments.find((one) => one.id === id)
  if (!comment) return null
  const answers = comment.replies.find((one) => one.id === answered) ?? null
  if (answered !== undefined && !answers) return null
  return { writing: { kind: 'reply', commentId: id, answers }, place: `#comment-${id}` }
}
