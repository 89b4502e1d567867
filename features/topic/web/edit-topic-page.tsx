import { useLoaderData } from 'react-router'
import { Link } from '#base/web/link.tsx'
import type { Output } from '#base/contract.ts'
import { Empty } from '#base/web/states.tsx'
import { useLanguage, useWords } from '#base/web/words.tsx'
import { threadPath } from '#kind/contract.ts'
import { useSite } from '#setting/web/setting.tsx'
import { editTopic, type editableTopic } from '#topic/contract.ts'
import { TopicForm } from '#topic/web/topic-form.tsx'

export function Page() {
  const words = useWords('topic')
  const { open } = useSite()
  const topic = useLoaderData<Output<typeof editableTopic>>()
  if (!open.topicEdits) return <Empty>{words('closedPosting')}</Empty>
  return (
    <section className="column">
      <h1>{words('editTitle')}</h1>
      {!topic.isPending && (
        <p>
          <Link to={threadPath(topic.topicId)}>{words('backToTopic')}</Link>
        </p>
      )}
      {topic.waiting && <HowItStands waiting={topic.waiting} />}
      <TopicForm
        key={topic.topicId}
        sends={editTopic}
        along={{ topicId: topic.topicId }}
        draftKey={`edit topic ${topic.topicId}`}
        first={topic}
        newcomer={topic.newcomer}
        isAnothers={topic.isAnothers}
        deed={words('save')}
      />
    </section>
  )
}

/** That staff have yet to look at it, or why they rejected it. */
export function HowItStands({ waiting: { rejected } }: { waiting: NonNullable<Output<typeof editableTopic>['waiting']> }) {
  const words = useWords('topic')
  const language = useLanguage()
  return <p className="note">{rejected ? words('rejectedBecause', { reason: rejected[language] }) : words('waitsHere')}</p>
}
