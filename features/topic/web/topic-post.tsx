import { useRef } from 'react'
import { useNavigate } from 'react-router'
import { Link } from '#base/web/link.tsx'
import { confirm } from '#base/web/ask.ts'
import { useDeed } from '#base/web/deed.ts'
import { Html } from '#base/web/html.tsx'
import { usePostTools } from '#base/web/post-tools.ts'
import { Time } from '#base/web/time.tsx'
import { say } from '#base/web/toast.tsx'
import { useWords } from '#base/web/words.tsx'
import type { Output } from '#base/contract.ts'
import type { removeTopic, thread } from '#topic/contract.ts'
import { Marks, threadPath } from '#topic/web/topic.tsx'
import { TopicHistory } from '#topic/web/topic-history.tsx'
import { Avatar, Name } from '#user/web/user.tsx'
import css from '#topic/web/topic-post.module.css'

type Topic = Output<typeof thread>

/** The post itself, with what one may do with it. `can` is null for visitors and until it is known. */
export function TopicPost({ topic, can }: { topic: Topic; can: { edit: boolean; remove: boolean } | null }) {
  const words = useWords('topic')
  const body = useRef<HTMLDivElement>(null)
  usePostTools(body, topic.segments)
  return (
    <article className={css.post}>
      <h1>
        <Marks of={topic} />
        {topic.title}
      </h1>
      <header className={css.by}>
        <Avatar of={topic.author} size={40} />
        <div>
          <Name of={topic.author} />
          <div className="meta">
            <Time at={topic.publishedAt} /> · {words('views', { count: topic.viewCount })}
            {topic.editedAt && (
              <>
                {' · '}
                <TopicHistory topicId={topic.id}>
                  {words('edited')} <Time at={topic.editedAt} />
                </TopicHistory>
              </>
            )}
          </div>
        </div>
      </header>
      <div ref={body}>
        {topic.segments.map((segment, index) => (
          <Html key={index} html={segment.html} className="prose" />
        ))}
      </div>
      <Deeds topic={topic} can={can} />
    </article>
  )
}

function Deeds({ topic, can }: { topic: Topic; can: { edit: boolean; remove: boolean } | null }) {
  const words = useWords('topic')
  const go = useNavigate()
  const removal = useDeed<typeof removeTopic>('/topic/remove')

  async function remove(): Promise<void> {
    if (!(await confirm(words('removeQuestion'), words('remove')))) return
    await removal.go({ topicId: topic.id }, { done: words('removed'), onward: () => go('/index', { replace: true }) })
  }

  async function copyLink(): Promise<void> {
    await navigator.clipboard.writeText(location.origin + threadPath(topic.id))
    say(words('copied'))
  }

  return (
    <p className={css.deeds}>
      <button type="button" className="plain" onClick={() => void copyLink()}>
        {words('share')}
      </button>
      {can?.edit && (
        <Link to={`/user/editTopic?topicId=${topic.id}`} className="plain">
          {words('edit')}
        </Link>
      )}
      {can?.remove && (
        <button type="button" className="plain" disabled={removal.isBusy} onClick={() => void remove()}>
          {words('remove')}
        </button>
      )}
    </p>
  )
}
