import { useRef, type ReactNode } from 'react'
import { Segments } from '#base/web/html.tsx'
import { useIdleInUse, useIdlePart } from '#base/web/lazy-part.ts'
import { InlinePlace, Place } from '#base/web/places.tsx'
import { usePostTools } from '#base/editor/post-tools.ts'
import { Time } from '#base/web/time.tsx'
import { useWords } from '#base/web/words.tsx'
import type { Output } from '#base/contract.ts'
import { HiddenPart, LockMark, locksOf, useContentKey } from '#hidden-part/web/hidden-part.tsx'
import { Translated } from '#post/web/post.tsx'
import { TagLink } from '#tag/web/tag.tsx'
import type { thread } from '#topic/contract.ts'
import { Marks } from '#topic/web/topic.tsx'
import { Avatar, Name } from '#user/web/user.tsx'
import css from '#topic/web/topic-post.module.css'

type Topic = Output<typeof thread>

declare module '#base/web/places.tsx' {
  interface Places {
    /** Marks behind the author's name. */
    'thread.by': { topic: Topic }
    'thread.belowText': { topic: Topic }
    /** The first buttons in the row of actions. */
    'thread.actions': { topic: Topic }
  }
}

type Props = {
  topic: Topic
  /** Null for visitors and while it loads. */
  can: { edit: boolean; remove: boolean } | null
  /** Additional tools of the thread. */
  tools?: ReactNode
  /** The content under the text. */
  children?: ReactNode
}

export function TopicPost({ topic, can, tools, children }: Props) {
  const words = useWords('topic')
  const body = useRef<HTMLDivElement>(null)
  usePostTools(body, useContentKey(topic.segments))
  return (
    <article className={css.post} data-ai-generated={topic.aiLabel ?? undefined}>
      <h1>
        <Marks of={topic} />
        <LockMark locks={locksOf(topic.segments)} />
        <bdi>{topic.title}</bdi>
      </h1>
      <header className={css.by}>
        <Avatar of={topic.author} size={40} />
        <div>
          <Name of={topic.author} /> <InlinePlace name="thread.by" topic={topic} />
          <div className="meta">
            <Time at={topic.publishedAt} /> · {words('views', { count: topic.viewCount })}
            {topic.editedAt && (
              <>
                {' · '}
                {words(topic.isEditedByStaff ? 'editedByStaff' : 'edited')} <Time at={topic.editedAt} />
              </>
            )}
          </div>
        </div>
      </header>
      <div ref={body}>
        <Translated of={{ kind: 'topic', id: topic.id }}>
          <Segments segments={topic.segments} renderHidden={(part) => <HiddenPart of={part} />} />
        </Translated>
      </div>
      <Place name="thread.belowText" topic={topic} />
      {children}
      {topic.kind === 'topic' && topic.tags.length > 1 && <Tags of={topic.tags} />}
      <Actions {...{ topic, can, tools }} />
    </article>
  )
}

/** All tags of a topic that has more than one. */
function Tags({ of }: { of: Topic['tags'] }) {
  return (
    <p className={css.tags}>
      {of.map((place) => (
        <TagLink key={place.id} place={place} />
      ))}
    </p>
  )
}

function Actions({ topic, can, tools }: Omit<Props, 'children'>) {
  const isUsed = useIdleInUse()
  const actions = useIdlePart(() => import('#topic/web/topic-actions.tsx'), isUsed || can !== null)
  return (
    <div className={css.actions}>
      <InlinePlace name="thread.actions" topic={topic} />
      {tools}
      {actions && <actions.TopicActions topic={topic} can={can} />}
    </div>
  )
}
