import type { ReactNode } from 'react'
import { Html } from '#base/web/html.tsx'
import { Time } from '#base/web/time.tsx'
import { useLanguage, useWords } from '#base/web/words.tsx'
import { Decision } from '#review/admin/decision.tsx'
import type { Queue } from '#review/admin/queue.data.ts'
import { useNameOf } from '#tag/web/tag.tsx'
import { Avatar, Name } from '#user/web/user.tsx'
import css from '#review/admin/review-page.module.css'

export type Post = NonNullable<Queue['opened']>

/** One that waits: what is around it, what it says, how its author fared before, and what to do with it. */
export function Opened({ post, onward }: { post: Post; onward: () => void | Promise<void> }) {
  const words = useWords('reviewAdmin')
  const nameOf = useNameOf()
  return (
    <article className={css.post} aria-labelledby="opened">
      <h2 id="opened">{words(post.isEdit ? 'editOf' : 'new', { kind: words(post.kind) })}</h2>
      <p className="meta">
        {nameOf(post.place.name)} · {words(`why${post.why}`)} · <Time at={post.askedAt} />
      </p>
      {post.words.length > 0 && (
        <p className={css.words}>
          {post.words.map((word) => (
            <mark key={word}>{word}</mark>
          ))}
        </p>
      )}
      <h3>
        <Avatar of={post.author} size={24} /> <Name of={post.author} />
      </h3>
      <div className={css.waiting} data-waiting>
        {post.newTitle && <h2>{post.newTitle}</h2>}
        {post.segments.map((segment, index) => (
          <Html key={index} html={segment.html} className="prose" />
        ))}
      </div>
      {post.present && (
        <Side title={words('onThePage')} heading={post.present.title}>
          {post.present.segments.map((segment, index) => (
            <Html key={index} html={segment.html} className="prose" />
          ))}
        </Side>
      )}
      <Around post={post} />
      <History post={post} />
      <Decision post={post} onward={onward} />
    </article>
  )
}

function Around({ post: { kind, title, topicId, topicText, before } }: { post: Post }) {
  const words = useWords('reviewAdmin')
  if (kind === 'topic') return null
  return (
    <>
      <Side
        title={words('under')}
        heading={
          <a href={`/thread?topicId=${topicId}`} target="_blank" rel="noopener">
            {title}
          </a>
        }
      >
        <p>{topicText}</p>
      </Side>
      {before.map((remark) => (
        <Side
          key={`${remark.author.id} ${remark.at}`}
          title={
            <>
              {remark.floor !== null && `#${remark.floor} `}
              {remark.author.name} · <Time at={remark.at} />
            </>
          }
        >
          <p>{remark.text}</p>
        </Side>
      ))}
    </>
  )
}

function Side({ title, heading, children }: { title: ReactNode; heading?: ReactNode; children: ReactNode }) {
  return (
    <section className={css.around}>
      <p className="meta">{title}</p>
      {heading && <strong>{heading}</strong>}
      {children}
    </section>
  )
}

function History({ post: { history } }: { post: Post }) {
  const words = useWords('reviewAdmin')
  const language = useLanguage()
  const { topics, comments, replies, approved, rejected, reasons } = history
  return (
    <>
      <h3>{words('author')}</h3>
      <p className="meta">
        {words('joined')} <Time at={history.joinedAt} /> · {words('wrote', { topics, comments, replies })} ·{' '}
        {words('fared', { approved, rejected })}
      </p>
      {reasons.length > 0 && (
        <ul>
          {reasons.map((reason, index) => (
            <li key={index}>{reason[language]}</li>
          ))}
        </ul>
      )}
    </>
  )
}
