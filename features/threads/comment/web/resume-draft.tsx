import { useEffect, useEffectEvent } from 'react'
import { useLocation } from 'react-router'
import { focusLater } from '#base/web/focus-later.ts'
import { takePassage } from '#comment/web/passage.ts'
import { useThread, type CommentList, type ComposerState } from '#comment/web/thread-context.tsx'
import { remarkKinds, threadPath } from '#kind/contract.ts'

type ResumeOptions = { writing: ComposerState; place: string }

/** Opens the form named in the address, with the draft restored and the focus in it. */
export function ResumeDraft({ list }: { list: CommentList }) {
  const { hash, key } = useLocation()
  const { topic, write, actions, tools } = useThread()
  // The tools may change the layout of the comments.
  const isReady = actions !== null && tools !== null
  const open = useEffectEvent(() => {
    const request = requestedForm(hash, list)
    if (!request) return
    const { writing } = request
    write(writing.kind === 'edit' ? writing : { ...writing, ...takePassage(threadPath(topic.id, topic.kind) + hash) })
    // After the next frame, since a form that was open before may be in the same place.
    requestAnimationFrame(() => focusLater(() => document.querySelector(request.place)))
  })
  useEffect(() => {
    if (isReady) open()
  }, [isReady, hash, key])
  return null
}

function requestedForm(hash: string, { comments }: CommentList): ResumeOptions | null {
  if (hash === '#write') return { writing: { kind: 'comment', quotes: null }, place: '[data-composer]' }
  const [, what, id = '', answered] = /^#write-(reply|quote|edit-\w+)-(\d+)(?:-(\d+))?$/.exec(hash) ?? []
  const edited = remarkKinds.find((kind) => what === `edit-${kind}`)
  if (edited) return { writing: { kind: 'edit', of: edited, id }, place: `#${edited}-${id}` }
  const comment = comments.find((one) => one.id === id)
  if (!comment) return null
  if (what === 'quote') return { writing: { kind: 'comment', quotes: comment }, place: '[data-composer]' }
  const answers = comment.replies.find((one) => one.id === answered) ?? null
  if (answered !== undefined && !answers) return null
  return { writing: { kind: 'reply', commentId: id, answers }, place: `#comment-${id}` }
}
