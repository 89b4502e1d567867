import type { ReactNode } from 'react'
import { Segments } from '#base/web/html.tsx'
import { Place } from '#base/web/places.tsx'
import { Time } from '#base/web/time.tsx'
import { useLanguage, useWords } from '#base/web/words.tsx'
import { HiddenParts } from '#hidden-part/admin/hidden-part.tsx'
import { Decision } from '#review/admin/decision.tsx'
import { useHighlights } from '#review/admin/highlights.ts'
import type { Post } from '#review/admin/queue.data.ts'
import { mayDo } from '#staff/admin/staff.tsx'
import { useNameOf } from '#tag/web/tag.tsx'
import { FurtherTags, Postscripts } from '#question/admin/question.tsx'
import { Avatar, Name } from '#user/web/user.tsx'
import { threadPath } from '#kind/contract.ts'
import { usePostWord } from '#kind/web/kind.tsx'
import css from '#review/admin/review-page.module.css'

declare module '#base/web/places.tsx' {
  interface Places {
    /** Below the text of a pending post; the parts of a topic are in `post.parts`. */
    'review.post': { post: Post }
  }
}

type OpenPostProps = { post: Post; onward: () => void | Promise<void>; edit: () => void }

/** A pending post: its context, its text, the author's history, and the decision. */
export function OpenPost({ post, onward, edit }: OpenPostProps) {
  const word = usePostWord()
  const words = useWords('reviewAdmin')
  const nameOf = useNameOf()
  const marked = useHighlights<HTMLDivElement>(post.found.map(({ as }) => as))
  return (
    <article className={css.post} aria-labelledby="opened">
      <h2 id="opened">{words(post.isEdit ? 'editOf' : 'new', { kind: word(post) })}</h2>
      <p className="meta">
        <bdi>{nameOf(post.place.name)}</bdi> · {words(`why${post.why}`)} · <Time at={post.askedAt} />
      </p>
      <SensitiveWords post={post} />
      <h3>
        <Avatar of={post.author} size={24} />{' '}
        {mayDo('member.view') ? (
          <a href={`/admin/member/view?memberId=${post.author.id}`} target="_blank" rel="noopener" title={words('toMember')}>
            {post.author.name}
          </a>
        ) : (
          <Name of={post.author} />
        )}
        <SanctionLinks memberId={post.author.id} />
      </h3>
      <div ref={marked} className={css.waiting} data-waiting>
        {post.newTitle && <h2>{post.newTitle}</h2>}
        <Segments segments={post.segments} />
        <FurtherTags tags={post.tags} />
      </div>
      <Place name="review.post" post={post} />
      {post.kind === 'topic' && <HiddenParts topicId={post.topicId} there={countHidden(post)} />}
      <Postscripts of={post.postscripts} />
      {post.own && (
        <ContextBox title={words('ownWords', { name: post.editedBy?.name ?? '' })} heading={post.own.title}>
          <Segments segments={post.own.segments} />
        </ContextBox>
      )}
      {post.present && (
        <ContextBox title={words('onThePage')} heading={post.present.title}>
          <Segments segments={post.present.segments} />
          <FurtherTags tags={post.present.tags} />
        </ContextBox>
      )}
      <PostContext post={post} />
      <History post={post} />
      <Decision post={post} onward={onward} edit={edit} />
    </article>
  )
}

/** The number of hidden parts in the pending post, and in the version it would replace. */
function countHidden({ segments, present }: Post): number {
  return new Set([...segments, ...(present?.segments ?? [])].flatMap(({ hidden }) => hidden?.id ?? [])).size
}

/** Links to sanctions against an author. */
function SanctionLinks({ memberId }: { memberId: string }) {
  const words = useWords('reviewAdmin')
  const way = (to: string, label: string) => (
    <a className="meta" href={to} target="_blank" rel="noopener">
      {label}
    </a>
  )
  return (
    <>
      {mayDo('member.view') && mayDo('member.ban') && way(`/admin/member/view?memberId=${memberId}&tab=bans&open=ban`, words('ban'))}
      {mayDo('member.clean') && way(`/admin/cleaning?memberId=${memberId}`, words('clean'))}
    </>
  )
}

/** Sensitive words found in the text, also in their disguised form, and those that held the post but are gone. */
function SensitiveWords({ post: { words: postWords, found } }: { post: Post }) {
  const words = useWords('reviewAdmin')
  const others = postWords.filter((word) => !found.some((one) => one.word === word)).map((word) => ({ word, as: word, list: '' }))
  const all = [...found, ...others]
  if (all.length === 0) return null
  return (
    <p className={css.words}>
      <span className="meta">{words('found')}</span>
      {all.map(({ word, as, list }) => (
        <span key={as} title={list || undefined}>
          <mark>{word}</mark>
          {as.toLowerCase() !== word.toLowerCase() && <q>{as}</q>}
        </span>
      ))}
    </p>
  )
}

function PostContext({ post: { kind, thread, title, topicId, topicText, before } }: { post: Post }) {
  const words = useWords('reviewAdmin')
  if (kind === 'topic') return null
  return (
    <>
      <ContextBox
        title={words('under', { thread })}
        heading={
          <a href={threadPath(topicId, thread)} target="_blank" rel="noopener">
            {title}
          </a>
        }
      >
        <p>{topicText}</p>
      </ContextBox>
      {before.map((remark) => (
        <ContextBox
          key={`${remark.author.id} ${remark.at}`}
          title={
            <>
              {remark.floor !== null && `#${remark.floor} `}
              <bdi>{remark.author.name}</bdi> · <Time at={remark.at} />
            </>
          }
        >
          <p>{remark.text}</p>
        </ContextBox>
      ))}
    </>
  )
}

function ContextBox({ title, heading, children }: { title: ReactNode; heading?: ReactNode; children: ReactNode }) {
  return (
    <section className={css.around}>
      <p className="meta">{title}</p>
      {heading && <strong>{heading}</strong>}
      {children}
    </section>
  )
}

function History({ post }: { post: Post }) {
  const words = useWords('reviewAdmin')
  const language = useLanguage()
  const { topics, comments, replies, approved, rejected, reasons } = post.history
  return (
    <>
      <h3>{words('author')}</h3>
      <p className="meta">
        {words('joined')} <Time at={post.history.joinedAt} /> · {words('wrote', { topics, comments, replies })} ·{' '}
        <a href={`/admin/review/decided?author=${post.author.id}`} target="_blank" rel="noopener">
          {words('fared', { approved, rejected })}
        </a>
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
