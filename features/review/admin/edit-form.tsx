import { useId, useRef, useState, type FormEvent } from 'react'
import { fromMarkdown, longestMarkdown, toMarkdown } from '#base/rich-text/markdown.ts'
import { useDeed } from '#base/web/deed.ts'
import { useWords } from '#base/web/words.tsx'
import type { Post } from '#review/admin/opened.tsx'
import type { editReview } from '#review/contract.ts'
import css from '#review/admin/review-page.module.css'

/** Writes anew what waits, as Markdown, which holds all that a post may. */
export function EditForm({ post, done }: { post: Post; done: () => void }) {
  const words = useWords('reviewAdmin')
  const id = useId()
  const [first] = useState(() => toMarkdown(post.body))
  const title = useRef<HTMLInputElement>(null)
  const text = useRef<HTMLTextAreaElement>(null)
  const edit = useDeed<typeof editReview>('/admin/review/edit')

  async function save(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    const answer = await edit.go({
      reviewId: post.id,
      version: post.version,
      body: fromMarkdown(text.current?.value ?? ''),
      ...(title.current && { title: title.current.value }),
    })
    if (answer) done()
  }

  return (
    <form className={css.edit} onSubmit={(event) => void save(event)}>
      {post.newTitle !== null && (
        <div className="field">
          <label htmlFor={`${id}-title`}>{words('title')}</label>
          <input ref={title} id={`${id}-title`} name="title" maxLength={90} required defaultValue={post.newTitle} autoComplete="off" />
        </div>
      )}
      <div className="field">
        <label htmlFor={`${id}-text`}>{words('markdown')}</label>
        <textarea ref={text} id={`${id}-text`} name="text" required maxLength={longestMarkdown} defaultValue={first} data-first />
      </div>
      <p>
        <button className="button" disabled={edit.isBusy}>
          {words('save')}
        </button>
      </p>
    </form>
  )
}
