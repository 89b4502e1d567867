import type { ReactNode } from 'react'
import { useLoaderData } from 'react-router'
import { Link } from '#base/web/link.tsx'
import type { Endpoint, Output } from '#base/contract.ts'
import type { Fields } from '#base/web/kept-fields.ts'
import { Closed } from '#base/web/closed.tsx'
import { useLanguage, useWords } from '#base/web/words.tsx'
import { threadPath, type ThreadKind } from '#kind/contract.ts'
import { useSite } from '#setting/web/setting.tsx'
import { editTopic, type editableTopic } from '#topic/contract.ts'
import { TopicForm } from '#topic/web/topic-form.tsx'

type Editable = Output<typeof editableTopic>

export function Page() {
  const topic = useLoaderData<Editable>()
  return <EditThread kind="topic" topic={topic} sends={editTopic} along={{ topicId: topic.topicId }} />
}

type EditThreadProps = {
  kind: ThreadKind
  topic: Editable
  sends: Endpoint
  along: Record<string, string>
  /** More to fill in above the title, given what was filled in before. */
  renderFurther?: (kept: Fields) => ReactNode
}

/** What opens a thread, to be written anew. */
export function EditThread({ kind, topic, sends, along, renderFurther }: EditThreadProps) {
  const words = useWords('topic')
  const { open } = useSite()
  if (!(kind === 'question' ? open.questionEdits : open.topicEdits)) return <Closed>{words('closedPosting', { kind })}</Closed>
  return (
    <section className="column">
      <h1>{words('editTitle', { kind })}</h1>
      {!topic.isPending && (
        <p>
          <Link to={threadPath(topic.topicId, kind)}>{words('backToTopic', { kind })}</Link>
        </p>
      )}
      {topic.waiting && <HowItStands waiting={topic.waiting} />}
      <TopicForm
        key={topic.topicId}
        kind={kind}
        sends={sends}
        along={along}
        draftKey={`edit topic ${topic.topicId}`}
        first={topic}
        newcomer={topic.newcomer}
        isAnothers={topic.isAnothers}
        deed={words('save')}
        renderFurther={renderFurther}
      />
    </section>
  )
}

/** That staff have yet to look at it, or why they rejected it. */
function HowItStands({ waiting: { rejected } }: { waiting: NonNullable<Editable['waiting']> }) {
  const words = useWords('topic')
  const language = useLanguage()
  return <p className="note">{rejected ? words('rejectedBecause', { reason: rejected[language] }) : words('waitsHere')}</p>
}
