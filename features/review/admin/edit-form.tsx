import { useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { Unsaved } from '#base/admin/unsaved.tsx'
import { fromMarkdown, longestMarkdown, toMarkdown } from '#base/rich-text/markdown.ts'
import { Field, Form, Submit, useForm } from '#base/web/form.tsx'
import { useWords } from '#base/web/words.tsx'
import type { Post } from '#review/admin/opened.tsx'
import { editReview } from '#review/contract.ts'
import css from '#review/admin/review-page.module.css'

/** Writes anew what waits, as Markdown, which holds all that a post may. */
export function EditForm({ post, done }: { post: Post; done: () => void }) {
  const words = useWords('reviewAdmin')
  return (
    <div className={css.edit}>
      <Form sends={editReview} along={{ reviewId: post.id, version: post.version }} then={done}>
        <Unsaved />
        <p className="meta">{words('editWhat')}</p>
        {post.newTitle !== null && (
          <Field name="title" label={words('title')} maxLength={90} required defaultValue={post.newTitle} autoComplete="off" />
        )}
        <Text body={post.body} />
        <Submit>{words('save')}</Submit>
      </Form>
    </div>
  )
}

function Text({ body }: Pick<Post, 'body'>) {
  const words = useWords('reviewAdmin')
  const id = useId()
  const [first] = useState(() => toMarkdown(body))
  const text = useRef<HTMLTextAreaElement>(null)
  const { errors, hold, mend } = useForm()
  const wrong = errors['body']
  useLayoutEffect(() => hold('body', fromMarkdown(first)), [hold, first])
  // It comes after its dialog, which has given the focus to what was there.
  useEffect(() => text.current?.focus(), [])
  return (
    <div className="field">
      <label htmlFor={id}>{words('markdown')}</label>
      <textarea
        ref={text}
        id={id}
        required
        maxLength={longestMarkdown}
        defaultValue={first}
        aria-invalid={wrong ? true : undefined}
        aria-describedby={`${id}-help`}
        onInput={({ currentTarget }) => {
          hold('body', fromMarkdown(currentTarget.value))
          mend('body')
        }}
      />
      <p id={`${id}-help`} className={wrong ? 'wrong' : 'help'} role={wrong ? 'alert' : undefined}>
        {wrong}
      </p>
    </div>
  )
}
